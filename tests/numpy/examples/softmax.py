import numpy as np
from files import data, save

scores = data("scores.npz")
logits, labels = scores["logits"], scores["labels"]
shifted = logits - logits.max(axis=-1, keepdims=True)
powers = np.exp(shifted)
sums = powers.sum(axis=-1, keepdims=True)
guesses = logits.argmax(axis=-1)

save(
    __file__,
    probabilities=powers / sums,
    guesses=guesses,
    loss=-np.mean((shifted - np.log(sums))[np.arange(len(labels)), labels]),
    accuracy=np.mean((guesses == labels).astype(np.float32)),
)
