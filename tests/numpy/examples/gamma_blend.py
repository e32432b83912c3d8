import numpy as np
from files import data, save

image = data("image.npy")
levels = np.arange(256).astype(np.float32) / np.float32(255)
table = np.rint(np.float32(255) * levels ** np.float32(0.45)).astype(np.uint8)
brighter = table[image]
share = np.uint16(96)
mirrored = brighter[:, ::-1].astype(np.uint16)
blended = ((brighter.astype(np.uint16) * (255 - share) + mirrored * share + 127) // 255).astype(np.uint8)

save(
    __file__,
    table=table,
    brighter=brighter,
    blended=blended,
    would_wrap=np.count_nonzero(brighter + image < image),
    mean_before=image.mean(axis=(0, 1)).astype(np.float32),
    mean_after=blended.mean(axis=(0, 1)).astype(np.float32),
)
