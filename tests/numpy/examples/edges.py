import numpy as np
from files import data, save

grey = np.pad(data("camera.npy"), 1, mode="edge").astype(np.float64)
window = np.lib.stride_tricks.sliding_window_view(grey, (3, 3))
kernel = np.array([[1.0, 0.0, -1.0], [2.0, 0.0, -2.0], [1.0, 0.0, -1.0]])
slope = np.hypot((window * kernel).sum(axis=(2, 3)), (window * kernel.T).sum(axis=(2, 3)))

save(
    __file__,
    smooth=np.median(window, axis=(2, 3)),
    strongest=slope.max(),
    edges=np.count_nonzero(slope > 200),
    slope=slope,
)
