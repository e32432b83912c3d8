"""Writes first_hour.txt: expressions that somebody who knows NumPy types first, each with the shape of its value and its
elements.

    python3 tests/numpy/first_hour.py tests/numpy
"""

import sys
from pathlib import Path

import numpy as np

x = np.array([3.0, 1.0, 2.0, 5.0])
y = np.array([1.0, 4.0, 2.0, 0.5])
i = np.array([7, -3, 12, 0])
m = np.arange(12.0).reshape(3, 4)
h = np.array([1.0, np.nan, -2.0, np.nan])

EXPRESSIONS = """
np.arange(10)
np.arange(0, 1, 0.25)
np.linspace(0, 1, 5)
np.zeros((2, 3))
np.ones(4, dtype=np.int32)
np.eye(3)
np.identity(2)
np.array([1, 2, 3])
np.array([[1, 2], [3, 4]], dtype=np.float64)
np.array([1.5, -2.5]).astype(np.int64)
np.full((2, 2), 7.0)
np.zeros_like(m)
np.logspace(0, 2, 3)
np.meshgrid(x, y)
np.meshgrid(x, y, indexing="ij")
x.mean()
m.sum(axis=0)
m.sum(axis=1, keepdims=True)
np.sum(m, axis=(0, 1))
np.sum(x, where=x > 1)
np.sum(i, initial=5)
np.sum(x, dtype=np.float32)
np.mean(m, axis=1, where=m > 2)
np.var(m, axis=0, ddof=1)
np.var(x, where=x > 1)
np.std(x, correction=1)
np.max(x, where=x < 4, initial=-1)
np.any(m > 10, axis=1)
np.prod(x)
np.ptp(m, axis=1)
np.median(x)
np.percentile(x, 95)
np.quantile(x, [0.25, 0.75])
np.average(x, weights=y)
np.average(m, axis=1, weights=[1, 2, 3, 4])
np.average(m, axis=0, weights=[1, 0, 1])
np.average(m, weights=m)
np.cov(x)
np.cov(x, y)
np.cov(m)
np.corrcoef(x, y)
np.nanmean(h)
np.nanstd(h)
np.nan_to_num(h)
np.nan_to_num(h, nan=9.0)
np.cumsum(x, dtype=np.float32)
np.cumulative_sum(x, include_initial=True)
np.diff(x)
np.gradient(x)
np.gradient(x, 2.0)
np.gradient(m, axis=0)
np.trapezoid(y, x)
np.trapezoid(m, dx=0.5, axis=0)
np.trapezoid(m, x=[0.0, 1.0, 3.0], axis=0)
np.convolve(x, [0.5, 0.5], mode="same")
np.convolve(x, [1.0, 0.0, 2.0])
np.convolve(x, [1.0, 0.0, 2.0], mode="valid")
np.correlate(x, [1.0, 2.0])
np.correlate(x, y, mode="full")
np.correlate(x, [1.0, 2.0, 3.0], "same")
x[x > 1]
x[::-1]
x[[0, 2]]
m[:, 0]
m[1]
m[:, [0, 2]]
x[:, np.newaxis] - y[None, :]
np.where(x > 1, x, 0)
np.clip(x, 2, None)
np.clip(x, min=2)
np.concatenate([x, y])
np.vstack([x, y])
np.stack((x, y), axis=1)
np.reshape(m, (2, 6))
x.reshape(-1, 2)
m.T
m.flatten()
np.ravel(m)
np.moveaxis(m, 0, -1)
np.swapaxes(m, 0, 1)
np.rot90(m)
np.rot90(m, k=-1)
np.rot90(m, 2)
np.flip(m)
np.fliplr(m)
np.roll(m, 1, axis=1)
np.repeat(x, 2)
np.repeat(m, 2, axis=0)
np.tile(x, (2, 1))
np.tile(m, 2)
np.split(x, 2)
np.array_split(x, [1, 3])[1]
np.unstack(m)
np.hsplit(m, 2)
np.atleast_2d(x)
np.atleast_3d(x)
np.broadcast_arrays(x, m)[0]
np.expand_dims(x, 0)
np.squeeze(x[None])
np.sqrt(x)
np.exp(-x**2)
np.sin(np.pi * x)
np.e ** x
np.round(x / 3, 2)
np.rint(x / 2)
np.floor(x / 2).astype(np.int64)
np.degrees(x)
np.hypot(x, y)
np.sign(x - 2)
np.reciprocal(x)
np.heaviside(x - 2, 0.5)
np.fabs(i)
np.bitwise_count(i)
np.power(x, 2)
np.mod(i, 5)
np.fmod(i, 5)
np.logaddexp(x, y)
np.sinc(x / 2)
np.nextafter(x, np.inf)
np.allclose(x, y)
np.isclose(x, x + 1e-9)
np.array_equal(x, x)
np.logical_and(x > 1, x < 3)
(x > 1) & (x < 3)
np.isnan(h).any()
np.count_nonzero(x > 1)
np.argmax(x)
np.argsort(x)[::-1]
np.sort(x)
np.searchsorted([1.0, 2.0, 4.0], x)
np.isin(i, [7, 0])
np.digitize(x, [1.5, 2.5])
np.interp(1.5, [1.0, 2.0], [10.0, 20.0])
np.dot(x, y)
np.linalg.norm(x)
np.vecdot(m, m)
np.finfo(np.float32).eps
np.iinfo(np.int16).max
np.can_cast(np.int8, np.int16)
np.size(m)
(x - x.mean()) / x.std()
m / m.sum(axis=1, keepdims=True)
3.j * x
2.e-5 * x
"""


def numbers(value):
    value = np.stack(value) if isinstance(value, (tuple, list)) else np.asarray(value)
    if np.iscomplexobj(value):
        value = np.stack([value.real, value.imag])
    return value.astype(np.float64)


lines = []
for text in EXPRESSIONS.strip().splitlines():
    value = numbers(eval(text))
    shape = " ".join(map(str, value.shape))
    lines.append(f"{text}\t{shape}\t" + " ".join(repr(float(item)) for item in value.ravel()))
(Path(sys.argv[1]) / "first_hour.txt").write_text("\n".join(lines) + "\n")
