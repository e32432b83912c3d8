#!/usr/bin/env python3
"""Accuracy of `arr` beside NumPy, PyTorch and JAX, on the same points, as a Markdown table.

    cargo bench --bench accuracy -- --points 1000000 --dump /tmp/points
    python3 benches/accuracy/peers.py /tmp/points --arr target/release/arr

Peers that are not installed are left out, and so is `arr` where there is no such file. A cell is the share of correctly rounded results, and the largest distance
from such a one in representable values; "wrong" is a number where there is none, none where there is one, or a
distance beyond 10,000.
"""

import argparse
import datetime
import os
import platform
import subprocess
import sys
import tempfile

import numpy as np

NAMES = "exp exp2 expm1 log log2 log10 log1p sin cos tan tanh pow cbrt hypot erf".split()


def numpy_peer():
    def call(name, *args):
        function = np.power if name == "pow" else getattr(np, name, None)
        return None if function is None else function(*args)

    return f"NumPy {np.__version__}", call


def torch_peer():
    import torch

    def call(name, *args):
        function = getattr(torch, name, None)
        return None if function is None else function(*map(torch.from_numpy, args)).numpy()

    return f"PyTorch {torch.__version__.split('+')[0]}", call


def jax_peer():
    import jax

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")

    def call(name, *args):
        function = getattr(jax.numpy, "power" if name == "pow" else name, None) or getattr(jax.scipy.special, name, None)
        return None if function is None else np.asarray(jax.jit(function)(*args))

    return f"JAX {jax.__version__}", call


def arr_peer(command, folder):
    version = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout.strip()

    def call(name, *args):
        dtype = {8: "f64", 4: "f32"}[args[0].itemsize]
        given = [f"{axis}={folder}/{name}.{dtype}.{axis}.npy" for axis, _ in zip("xy", args)]
        text = "x**y" if name == "pow" else f"{name}({', '.join('xy'[:len(args)])})"
        with tempfile.TemporaryDirectory() as scratch:
            out = os.path.join(scratch, "out.npy")
            subprocess.run([command, "eval", text, *given, "-o", out], check=True, stdout=subprocess.DEVNULL)
            return np.load(out)

    return version, call


def order(values):
    """Integers that are as far apart as floats are in representable values."""
    width = {8: np.int64, 4: np.int32}[values.itemsize]
    bits = values.view(width).astype(np.int64)
    return np.where(bits < 0, np.int64(np.iinfo(width).min) - bits, bits)


def cell(got, right):
    if got is None:
        return "–"
    nan = np.isnan(right)
    wrong = np.isnan(got) != nan
    steps = np.abs((order(got) - order(right)).astype(np.float64))
    steps[nan | wrong] = 0
    far = int(steps.max())
    share = 100 * np.mean((steps == 0) & ~wrong)
    return f"{share:.2f} %, {'wrong' if wrong.any() or far > 10_000 else far}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("points", help="the folder that the accuracy report wrote with --dump")
    parser.add_argument("--arr", default="target/release/arr", help="the command [target/release/arr]")
    given = parser.parse_args()
    np.seterr(all="ignore")
    peers = [arr_peer(given.arr, given.points)] if os.path.exists(given.arr) else []
    peers.append(numpy_peer())
    for make in (torch_peer, jax_peer):
        try:
            peers.append(make())
        except ImportError as error:
            print(f"left out: {error}", file=sys.stderr)
    print(f"{datetime.date.today()}, {platform.machine()}")
    print("\n| function | dtype |", " | ".join(name for name, _ in peers), "|")
    print("| --- | --- |", " | ".join("---" for _ in peers), "|")
    for name in NAMES:
        for dtype in ("f64", "f32"):
            stem = os.path.join(given.points, f"{name}.{dtype}")
            if not os.path.exists(f"{stem}.x.npy"):
                continue
            args = [np.load(f"{stem}.{axis}.npy") for axis in "xy" if os.path.exists(f"{stem}.{axis}.npy")]
            right = np.load(f"{stem}.right.npy")
            cells = [cell(call(name, *args), right) for _, call in peers]
            print(f"| `{name}` | {dtype} |", " | ".join(cells), "|", flush=True)


main()
