"""Writes linalg.txt: what numpy.linalg makes of small matrices, one call a line: call, shape, real parts, imaginary parts.

    python3 tests/numpy/linalg.py > tests/numpy/linalg.txt

The matrices are whole numbers that a script of the language makes by the same words. What has a sign or an order of the
library's own is compared by its magnitude, or after it was sorted.
"""

import numpy as np
from numpy import abs, arange, eye, linalg, reshape, sort  # noqa: A004, F401

ARRAYS = {
    "one": "reshape(arange(1) + 3.0, (1, 1))",
    "two": "reshape((arange(4) * 5 + 3) % 7 - 1.0, (2, 2))",
    "five": "reshape((arange(25) * 7 + 2) % 31 - 12.0, (5, 5)) + 3 * eye(5)",
    "tall": "reshape((arange(20) * arange(20) * 7 + 2) % 23 - 5.0, (5, 4))",
    "wide": "reshape((arange(20) * arange(20) * 7 + 2) % 29 - 5.0, (4, 5))",
    "stack": "reshape((arange(24) * 11 + 2) % 37 - 5.0, (2, 3, 2, 2))",
    "turned": "reshape((arange(9) * 7 + 2) % 31 - 12.0, (3, 3)) * (1 - 2j) + eye(3) * 4",
    "whole": "reshape((arange(9) * 7 + 2) % 31 - 12, (3, 3))",
    "vector": "arange(5) * 2.0 - 3",
    "sides": "reshape(arange(15) * 2.0 - 3, (5, 3))",
}
MADE = {
    "even": "five + five.T",
    "ladder": "five @ five.T + eye(5)",
    "mirror": "turned + conj(turned.T)",
    "wheel": "turned @ conj(turned.T) + eye(3)",
}


def calls():
    square = ("one", "two", "five", "stack", "turned", "whole", "even", "ladder")
    for a in square:
        yield from (f"linalg.{f}({a})" for f in ("inv", "det", "svdvals", "cond", "matrix_rank", "pinv"))
        yield f"linalg.slogdet({a})[0]"
        yield f"linalg.slogdet({a})[1]"
        yield f"sort(abs(linalg.eigvals({a})))"
        yield f"sort(abs(linalg.eig({a})[0]))"
    for a in ("one", "even", "ladder", "mirror", "wheel", "five"):
        for f in ("eigvalsh", "eigh"):
            part = "[0]" if f == "eigh" else ""
            yield f"linalg.{f}({a}){part}"
            yield f'linalg.{f}({a}, UPLO="U"){part}'
    for a in ("ladder", "wheel", "one"):
        yield f"linalg.cholesky({a})"
        yield f"linalg.cholesky({a}, upper=True)"
    for a in ("tall", "wide", "five", "turned", "stack"):
        yield f"abs(linalg.qr({a})[1])"
        yield f'abs(linalg.qr({a}, mode="r"))'
        yield f'abs(linalg.qr({a}, mode="complete")[1])'
        yield f"linalg.svd({a})[1]"
        yield f"abs(linalg.svd({a}, full_matrices=False)[0])"
        yield f"abs(linalg.svd({a}, full_matrices=False)[2])"
        yield f"linalg.svd({a}, compute_uv=False)"
        yield f"linalg.matrix_rank({a})"
        yield f"linalg.pinv({a})"
    yield "linalg.solve(five, vector)"
    yield "linalg.solve(five, sides)"
    yield "linalg.solve(whole, vector[:3])"
    yield "linalg.solve(turned, vector[:3])"
    yield "linalg.solve(stack, stack)"
    yield "linalg.solve(two, stack)"
    yield "linalg.solve(stack, vector[:2])"
    for a, b in (("tall", "vector"), ("tall", "sides"), ("wide", "vector[:4]"), ("five", "vector")):
        yield f"linalg.lstsq({a}, {b})[0]"
        yield f"linalg.lstsq({a}, {b})[3]"
    for a in ("tall", "five", "turned", "whole"):
        yield f"linalg.norm({a})"
        for ord in ('"fro"', '"nuc"', "1", "-1", "2", "-2", "inf", "-inf"):
            yield f"linalg.norm({a}, ord={ord})"
        for ord in ("0", "1", "2", "3", "0.5", "-1", "inf", "-inf"):
            yield f"linalg.norm({a}, ord={ord}, axis=0)"
            yield f"linalg.norm({a}, ord={ord}, axis=-1, keepdims=True)"
            yield f"linalg.norm({a}[0], ord={ord})"
    for ord in ('"fro"', '"nuc"', "1", "2", "inf"):
        yield f"linalg.norm(stack, ord={ord}, axis=(0, 1))"
        yield f"linalg.norm(stack, ord={ord}, axis=(-1, -3))"
        yield f"linalg.norm(stack, ord={ord}, axis=(-1, 1), keepdims=True)"
    for p in ("1", '"fro"', "inf", "-2"):
        yield f"linalg.cond(five, p={p})"
    yield "linalg.cross(sides, sides[::-1] + 1)"
    yield "linalg.cross(sides[0], sides)"


def words(numbers):
    return " ".join(repr(float(x)) for x in np.ravel(numbers))


def main():
    names = dict(np=np, inf=np.inf, conj=np.conj)
    globals().update(names)
    for name, code in (ARRAYS | MADE).items():
        globals()[name] = eval(code)
        print(f"let {name} = {code}")
    for call in calls():
        result = np.asarray(eval(call))
        columns = [call.replace("True", "true").replace("False", "false"), " ".join(map(str, result.shape)), words(result.real)]
        if np.iscomplexobj(result):
            columns.append(words(result.imag))
        print("\t".join(columns))


main()
