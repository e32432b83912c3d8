import numpy as np
from files import data, save

x = data("iris.npy").astype(np.float64)
centres, moved, rounds = x[[0, 50, 100]], 1.0, 0


def nearest():
    return ((x[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)


while moved > 0:
    group = nearest()
    new = np.stack([x[group == k].mean(axis=0) for k in range(3)])
    centres, moved, rounds = new, abs(new - centres).max(), rounds + 1

save(__file__, centres=centres, rounds=rounds, sizes=np.bincount(nearest()))
