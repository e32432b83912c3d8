"""Writes linalg.txt: what numpy.linalg, and of lu scipy.linalg, of expm mpmath in 60 digits, makes of small matrices, one call a line: call, shape,
real parts, imaginary parts.

    python3 tests/numpy/linalg.py > tests/numpy/linalg.txt

The matrices are whole numbers that a script of the language makes by the same words. What has a sign or an order of the
library's own is compared by its magnitude, or after it was sorted.
"""

import types

import numpy as np
import mpmath
import scipy.linalg
from numpy import abs, arange, eye, reshape, sort, zeros  # noqa: A004, F401


def expm(x):
    """Rounded once: scipy.linalg.expm is up to 3e-11 away from it for the matrices below."""
    mpmath.mp.dps = 60
    parts = [mpmath.expm(mpmath.matrix(part.tolist())).tolist() for part in np.reshape(x, (-1, *x.shape[-2:]))]
    number = complex if np.iscomplexobj(x) else float
    return np.reshape([[[number(y) for y in row] for row in part] for part in parts], x.shape)


linalg = types.SimpleNamespace(**vars(np.linalg) | {"lu": scipy.linalg.lu, "expm": expm})

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
    for a in ("one", "two", "five", "tall", "wide", "stack", "whole", "zeros((2, 3))", "five[:, 1:] * 0"):
        yield from (f"linalg.lu({a})[{part}]" for part in (0, 1, 2))
    yield "abs(linalg.lu(turned)[0] @ linalg.lu(turned)[1] @ linalg.lu(turned)[2])"
    for a in ("one", "two", "five", "stack", "turned", "whole", "even", "ladder", "mirror", "eye(3)", "zeros((2, 2))"):
        for scale in ("0.001", "0.03", "0.1", "0.3", "1", "-2"):
            yield f"linalg.expm({a} * {scale})"
    yield "linalg.expm(reshape(arange(4) * arange(4) * 1e5, (2, 2)) * [[0, 1], [0, 0]] + eye(2) * [1, -1])"
    yield "linalg.expm(eye(2) * [800, -800])"
    yield "linalg.expm(eye(2) * [1j, 2])"
    yield "linalg.tensorsolve(reshape(ladder, (5, 1, 5)), reshape(vector, (5, 1)))"
    yield "linalg.tensorsolve(reshape(eye(24) * 3 + 1, (6, 4, 2, 3, 4)), reshape(arange(24) * 1.0, (6, 4)))"
    yield "linalg.tensorsolve(two, vector[:2])"
    yield "linalg.tensorinv(reshape(eye(24) * 3 + 1, (4, 6, 8, 3)))"
    yield "linalg.tensorinv(reshape(ladder, (5, 1, 5)), ind=1)"
    for shape in ("(0, 3)", "(3, 0)", "(0, 0)", "(2, 0, 3)", "(0, 2, 2)"):
        yield from (f"linalg.{f}(zeros({shape}))" for f in ("pinv", "matrix_rank", "svdvals"))
        for ord in ('"fro"', '"nuc"', "1", "2", "inf"):
            yield f"linalg.norm(zeros({shape}), ord={ord}, axis=(-2, -1))"
    for ord in ("0", "1", "2", "3", "inf"):
        yield f"linalg.norm(zeros(0), ord={ord})"
    for a, b in (("(0, 3)", "0"), ("(3, 0)", "3"), ("(0, 3)", "(0, 2)"), ("(3, 0)", "(3, 2)")):
        yield f"linalg.lstsq(zeros({a}), zeros({b}) + 1)[0]"
        yield f"linalg.lstsq(zeros({a}), zeros({b}) + 1)[2]"
        yield f"linalg.lstsq(zeros({a}), zeros({b}) + 1)[3]"
    yield "linalg.norm(zeros((0, 3)), ord=-1)"
    yield "linalg.norm(zeros((3, 0)), ord=-inf)"
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
