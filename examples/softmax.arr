# Scores of a classifier as probabilities, and how well they foretell the labels.
promotion jax safe

## A score for each class of each example.
input logits: f32[example, class] = load("data/scores.npz:logits")
## The right class of each example.
input labels: u8[example] in [0, 9] = load("data/scores.npz:labels")
## Above 1 the probabilities are closer to each other, below 1 farther apart.
input temperature: f32 in [0.01, 100] = 1

# Shares that sum to 1 in each row, and below their logarithms, accurate where a share is nearly 0.
output probabilities = softmax(logits / temperature)
output guesses = argmax(logits, axis=-1)
# One bit in each row marks the right class.
let right = labels[:, None] == arange(class, dtype=u8)
output loss = -mean(sum(where(right, log_softmax(logits / temperature), 0), axis=-1))
output accuracy = mean(f32(guesses == labels))
