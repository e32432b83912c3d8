"""Writes together.txt: what NumPy makes of three operands of one call.

    python3 tests/oracle/together.py > tests/oracle/together.txt

A line begins with two operands; behind the colon stands what `numpy.result_type` makes of them with each operand from
the second one on, in the order of the first line. `concatenate`, `stack`, `where` and `clip` are checked to give the
same dtypes (`clip` has no loop for bfloat16, so it is left out there). `-` is a refusal. With bfloat16 NumPy's answer can
depend on the order of the operands: then every answer that it gives stands there, with slashes between.
"""

import itertools

import ml_dtypes
import numpy as np

NAMES = {
    "bool": np.bool_, "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "bf16": ml_dtypes.bfloat16, "f16": np.float16, "f32": np.float32, "f64": np.float64,
    "c64": np.complex64, "c128": np.complex128,
}  # fmt: skip
LITERALS = {"i*": 1, "f*": 1.0, "c*": 1j}
SHORT = {np.dtype(dtype): name for name, dtype in NAMES.items()}
ALL = [*NAMES, *LITERALS]


def answer(call):
    try:
        found = call()
    except TypeError:
        return "-"
    return SHORT[np.dtype(getattr(found, "dtype", found))]


def checked(names):
    result = answer(lambda: np.result_type(*[NAMES.get(name, LITERALS.get(name)) for name in names]))
    if all(name in NAMES for name in names):
        arrays = [np.ones(1, NAMES[name]) for name in names]
        for call in [np.concatenate, np.stack]:
            assert answer(lambda: call(arrays)) == result, names
        assert "bf16" in names or answer(lambda: np.clip(*arrays)) == result, names
    return result


print(f"# numpy {np.__version__}, ml_dtypes {ml_dtypes.__version__}")
print(*ALL)
for at, first in enumerate(ALL):
    for place in range(at, len(ALL)):
        cells = []
        for third in ALL[place:]:
            orders = itertools.permutations([first, ALL[place], third])
            cells.append("/".join(sorted({checked(order) for order in orders})))
        print(f"{first} {ALL[place]}:", *cells)
