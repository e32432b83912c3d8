import numpy as np
from files import data, save

flowers = data("iris.npy")
z = (flowers - flowers.mean(axis=0)) / flowers.std(axis=0, ddof=1)
norms = np.linalg.norm(z, axis=1)

save(
    __file__,
    scores=z,
    most_unusual_flower=np.argmax(norms),
    most_unusual_scores=z[np.argmax(norms)],
    beyond_two=np.count_nonzero(np.abs(z) > 2, axis=0),
    correlations=(z[:, :, None] * z[:, None, :]).sum(axis=0) / np.float32(len(z) - 1),
)
