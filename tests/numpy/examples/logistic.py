import numpy as np
from files import data, save

both = data("iris.npy").astype(np.float64)[50:150]
x = (both - both.mean(axis=0)) / both.std(axis=0)
virginica = (np.arange(100) >= 50).astype(np.float64)


def sigmoid(t):
    return 1 / (1 + np.exp(-t))


weights, bias = np.zeros(4), 0.0
for _ in range(500):
    wrong = sigmoid(x @ weights + bias) - virginica
    weights, bias = weights - 0.5 * (x.T @ wrong) / 100, bias - 0.5 * wrong.mean()

likely = sigmoid(x @ weights + bias)
save(
    __file__,
    weights=weights,
    bias=bias,
    loss=-np.log(np.where(virginica > 0.5, likely, 1 - likely)).mean(),
    right=((likely > 0.5) == (virginica > 0.5)).sum(),
)
