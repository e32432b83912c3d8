import numpy as np
from files import data, save

rgb = data("image.npy").astype(np.int32)
r, g, b = np.moveaxis(rgb, -1, 0)


def scaled(x):
    return (x + 128) >> 8


def halved(x):
    height, width = x.shape
    return (x.reshape(height // 2, 2, width // 2, 2).sum(axis=(1, 3)) + 2) >> 2


y = scaled(66 * r + 129 * g + 25 * b) + 16
u = halved(scaled(-38 * r - 74 * g + 112 * b) + 128)
v = halved(scaled(112 * r - 94 * g - 18 * b) + 128)
c = 298 * (y - 16)
d, e = (x.repeat(2, axis=0).repeat(2, axis=1) - 128 for x in (u, v))
back = np.stack((scaled(c + 409 * e), scaled(c - 100 * d - 208 * e), scaled(c + 516 * d)), axis=-1)
restored = back.clip(0, 255).astype(np.uint8)

save(
    __file__,
    luma=y.astype(np.uint8),
    chroma=np.stack((u, v)).astype(np.uint8),
    restored=restored,
    worst_error=np.abs(restored.astype(np.int32) - rgb).max(axis=(0, 1)),
)
