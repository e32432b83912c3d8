"""The functions, what they run on, and a process that times NumPy's: a line in, a time out."""

import sys
import time

import numpy as np
from numpy import linalg

# The results of `arr` and its code, that of NumPy, and what of both is compared: signs of vectors are a library's own.
FUNCTIONS = {
    "matmul": ("x", "a @ c", lambda a, c: a @ c, "x", lambda x: x),
    "solve": ("x", "linalg.solve(a, b)", lambda a, b: linalg.solve(a, b), "x", lambda x: x),
    "eigh": ("w, v", "linalg.eigh(h)", lambda h: linalg.eigh(h), "w", lambda y: y[0]),
    "svd": ("u, s, vh", "linalg.svd(a)", lambda a: linalg.svd(a), "s", lambda y: y[1]),
    "inv": ("x", "linalg.inv(a)", lambda a: linalg.inv(a), "x", lambda x: x),
    "det": ("sign, log", "linalg.slogdet(a)", lambda a: linalg.slogdet(a), "log", lambda y: y[1]),
    "cholesky": ("l", "linalg.cholesky(h)", lambda h: linalg.cholesky(h), "l", lambda x: x),
    "qr": ("q, r", "linalg.qr(a)", lambda a: linalg.qr(a), "abs(r)", lambda y: np.abs(y[1])),
    "eigvalsh": ("w", "linalg.eigvalsh(h)", lambda h: linalg.eigvalsh(h), "w", lambda y: y),
    "svdvals": ("s", "linalg.svdvals(a)", lambda a: linalg.svdvals(a), "s", lambda y: y),
}

# How many times as many rows as the others.
LARGER = {"matmul": 2}


def operands(name, dtype, size):
    random = np.random.default_rng(size)
    a = random.standard_normal((size, size))
    made = {"a": a + 4 * np.eye(size), "b": random.standard_normal(size), "h": a @ a.T / size + np.eye(size)}
    made["c"] = random.standard_normal((size, size))
    words = FUNCTIONS[name][2].__code__.co_varnames
    return {word: made[word].astype(dtype) for word in words}


def script(name):
    """A statement with the results, their names, and what is compared."""
    names, code, _, compared, _ = FUNCTIONS[name]
    return f"let ({names}) = {code}" if "," in names else f"let {names} = {code}", names.split(", "), compared


def wanted(name, dtype, size):
    return FUNCTIONS[name][4](FUNCTIONS[name][2](**operands(name, dtype, size)))


def least(name, dtype, size, seconds=0.4):
    """The least time of a call in ms."""
    inputs, function = operands(name, dtype, size), FUNCTIONS[name][2]
    function(**inputs)
    shortest, begun = float("inf"), time.perf_counter()
    while time.perf_counter() - begun < seconds:
        start = time.perf_counter()
        function(**inputs)
        shortest = min(shortest, time.perf_counter() - start)
    return shortest * 1e3


if __name__ == "__main__":
    for line in sys.stdin:
        name, dtype, size = line.split()
        print(least(name, np.dtype(dtype), int(size)), flush=True)
