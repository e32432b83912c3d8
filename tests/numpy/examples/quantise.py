import numpy as np
from files import data, save

layer = data("layer.npz")
weights, x = layer["weights"], layer["x"]
weight_step = np.abs(weights).max(axis=1, keepdims=True) / np.float32(127)
x_step = np.abs(x).max() / np.float32(127)
wq, xq = (np.rint(a / step).clip(-128, 127).astype(np.int8) for a, step in ((weights, weight_step), (x, x_step)))
restored = wq.astype(np.float32) * weight_step
products = xq.astype(np.int64) @ wq.astype(np.int64).T
y = products.astype(np.float32) * (x_step * weight_step[:, 0])
exact = x @ weights.T

save(
    __file__,
    wq=wq,
    xq=xq,
    restored=restored,
    worst_in_steps=(np.abs(restored - weights) / weight_step).max(),
    products=products,
    y=y,
    exact=exact,
    relative_error=np.linalg.norm(y - exact) / np.linalg.norm(exact),
)
