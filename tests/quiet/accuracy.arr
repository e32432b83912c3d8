# How good a classifier is: accuracy, and the confusion of two classes.
input logits: f32[n, c]
input labels: i64[n] in [0, 1000]
let guess = argmax(logits, axis=-1)
output accuracy = mean(f32(guess == labels))
output false_positives = count_nonzero((guess == 1) & (labels == 0)) / n
