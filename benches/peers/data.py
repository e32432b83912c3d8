"""Operands, the same for every peer: made once, from a fixed seed, and kept in `.npy` files."""

import zlib

import numpy as np

NUMPY = {"u8": "u1", "i16": "i2", "u32": "u4", "i32": "i4", "i64": "i8", "f16": "f2", "f32": "f4", "f64": "f8", "c64": "c8"}
#: Rows and columns of matrices with so many elements.
SHAPES = {1_000: (25, 40), 100_000: (250, 400), 10_000_000: (2500, 4000), 100_000_000: (10_000, 10_000)}


def shape(n):
    if n in SHAPES:
        return SHAPES[n]
    rows = max(1, int(n**0.5 / 1.25))
    while n % rows:
        rows -= 1
    return rows, n // rows


def dtype(name):
    if name == "bf16":
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(NUMPY[name])


def operand(what, name, element, n):
    """An operand by its description: `uniform -2 2`, `integers 0 255`, `matrix`, …"""
    random = np.random.default_rng(zlib.crc32(name.encode()))
    words = what.split()
    if words[0] in SHAPED:
        return SHAPED[words[0]](random, dtype(element), n, *words[1:])
    rows, columns = shape(n)
    size = {"matrix": (rows, columns), "row": columns, "column": rows, "double": 2 * n}.get(words[0], n)
    if words[0] in ("matrix", "row", "column", "double"):
        words = ["uniform", "-2", "2"]
    if words[0] == "divisor":
        values = random.integers(1, 1000, size) * random.choice([-1, 1], size)
        return values.astype(dtype(element))
    if words[0] == "i16":
        return random.integers(int(words[1]), int(words[2]), size, endpoint=True).astype(np.int16)
    if words[0] == "integers":
        return random.integers(int(words[1]), int(words[2]), size, endpoint=True).astype(dtype(element))
    scale = float(words[1]) if words[0] == "normal" and len(words) > 1 else 1.0
    draw = lambda: scale * random.standard_normal(size, np.float32) if words[0] == "normal" else random.uniform(float(words[1]), float(words[2]), size)
    if element == "c64":
        return (0.5 * draw() + 0.5j * draw()).astype(np.complex64)
    return draw().astype(dtype(element))


def values(random, element, size):
    """Numbers of a dtype, hardly any twice."""
    if element.kind == "f":
        return random.uniform(-2, 2, size).astype(element)
    return random.integers(-1_000_000, 1_000_000, size).astype(element)


#: Operands of kernels whose results data shape: of a source of random numbers, the kernel's dtype and its elements.
SHAPED = {
    "values": values,
    "positions": lambda random, element, n: random.integers(0, n, n),
    "labels": lambda random, element, n, count: random.integers(0, int(count), n),
    "few": lambda random, element, n, count: random.choice(np.unique(values(random, element, int(count))), n),
    "knots": lambda random, element, n, count: np.linspace(-2 if element.kind == "f" else -1_000_000, 2 if element.kind == "f" else 1_000_000, int(count)).astype(element),
    "heights": lambda random, element, n, count: random.standard_normal(int(count)).astype(element),
}


def sample(result):
    """Some elements of a result, as `worker.rs` chooses them."""
    flat = np.asarray(result).reshape(-1)
    if flat.dtype.name == "bfloat16":
        flat = flat.astype(np.float32)
    step = max(1, flat.size // 50_000)
    return np.concatenate([flat[:1000], flat[::step], flat[max(0, flat.size - 1000):]])


def load(path):
    """An array of a file; two anonymous bytes are `bf16`, as in files of `arr`."""
    array = np.load(path)
    return array.view(dtype("bf16")) if array.dtype.kind == "V" else array


#: How far a result may be from that of NumPy in twice the precision, relative to the size of what was computed.
TOLERANCE = {"f16": 4e-3, "bf16": 3e-2, "f32": 4e-6, "f64": 1e-13, "c64": 4e-6}


#: Sums of millions in one long row drift; every library adds in an order of its own.
DRIFT = {"f32": 5e-3, "f64": 1e-10}


def difference(found, reference, element, reduction):
    """What is wrong with a result, in words; nothing when it is right."""
    if found.shape != reference.shape:
        return f"has {found.shape} elements, not {reference.shape}"
    if element not in TOLERANCE:
        wrong = np.count_nonzero(found.astype(np.int64) != reference.astype(np.int64))
        return f"{wrong} of {found.size} sampled elements differ" if wrong else None
    error = np.abs(found.astype(reference.dtype) - reference)
    size = np.maximum(np.abs(reference), np.mean(np.abs(reference)) if reference.size else 1)
    worst = float(np.max(error / size)) if reference.size else 0.0
    allowed = (DRIFT if reduction else TOLERANCE)[element]
    return None if worst <= allowed else f"off by {worst:.1e} of its size"
