"""Where the examples' data is, and where what NumPy makes of it goes: a file for each example, tests/examples/NAME.npz.

    for program in tests/numpy/examples/[!f]*.py; do python3 "$program"; done

Needs NumPy and ml_dtypes.
"""

from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[3]


def data(name):
    return np.load(ROOT / "examples/data" / name)


def save(program, **outputs):
    np.savez(ROOT / "tests/examples" / Path(program).with_suffix(".npz").name, **outputs)
