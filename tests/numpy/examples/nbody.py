import numpy as np
from files import save

g = 0.01720209895**2
mass = np.array([1.0, 0.00095, 0.000286, 0.000044, 0.000052])
radius = np.array([5.2, 9.55, 19.2, 30.1])
direction = np.array([[1.0, 0.0], [-0.6, 0.8], [0.0, -1.0], [0.8, 0.6]])
turn = np.stack([-direction[:, 1], direction[:, 0]], axis=1)
orbits = np.sqrt(g / radius)[:, None] * turn
p = np.concatenate([np.zeros((1, 2)), radius[:, None] * direction])
v = np.concatenate([-(mass[1:, None] * orbits).sum(axis=0)[None], orbits])


def pull(p):
    apart = p[None] - p[:, None]
    square = (apart**2).sum(axis=2) + np.eye(5)
    return g * (apart * (mass / (square * np.sqrt(square)))[:, :, None]).sum(axis=1)


for _ in range(3652):
    v = v + 0.5 * 10 * pull(p)
    p = p + 10 * v
    v = v + 0.5 * 10 * pull(p)

save(__file__, places=p, distances=np.sqrt(((p[1:] - p[0]) ** 2).sum(axis=1)), lost=np.bool_(False))
