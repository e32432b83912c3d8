"""NumPy: the expression as it stands, and as calls with `out=`. It also says what every kernel should give."""

import numpy as np
import scipy.special

from libraries.chain import chain, evaluated

NAMES = {
    "exp": np.exp, "log": np.log, "sin": np.sin, "cos": np.cos, "tanh": np.tanh, "sqrt": np.sqrt, "log1p": np.log1p,
    "erf": scipy.special.erf, "abs": np.abs, "maximum": np.maximum, "where": np.where, "None": None,
    "sum": np.sum, "mean": np.mean,
}
CALLS = {name: NAMES[name] for name in ("exp", "log", "sin", "cos", "tanh", "sqrt", "log1p", "erf", "abs", "maximum")} | {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide, "negative": np.negative,
    "square": np.square, "floor_divide": np.floor_divide, "remainder": np.remainder, "and": np.bitwise_and,
    "greater": np.greater,
}


#: What the kernels whose results data shape call.
SHAPED = {
    "select": lambda x: x[x > 0],
    "gather": lambda x, i: x[i],
    "sort": np.sort,
    "argsort": np.argsort,
    "median": np.median,
    "unique": np.unique,
    "bincount": np.bincount,
    "segment": lambda x, g: grouped(x, g, 1000),
    "segment_many": lambda x, g: grouped(x, g, 1_000_000),
    "histogram": lambda x: np.histogram(x, 100)[0],
    "interp": lambda x, xp, fp: np.interp(x, xp, fp),
    "searchsorted": np.searchsorted,
}
#: Another way to have the same.
OTHERS = {
    "gather": ("numpy take", np.take),
    "sort": ("numpy stable", lambda x: np.sort(x, kind="stable")),
    "argsort": ("numpy stable", lambda x: np.argsort(x, kind="stable")),
}


def grouped(x, g, count):
    """Sums of groups; `bincount` has them in f64 alone."""
    if x.dtype == np.float64:
        return np.bincount(g, x, count)
    out = np.zeros(count, x.dtype)
    np.add.at(out, g, x)
    return out


def start(threads):
    pass


def version():
    return f"NumPy {np.__version__}"


def array(result):
    return np.asarray(result)


def blend(a, b):
    return ((a.astype(np.uint16) * 3 + b) // 4).astype(np.uint8)


def function(kernel):
    if kernel.form == "shaped":
        return SHAPED[kernel.file]
    if kernel.form == "blend":
        return blend
    return evaluated(kernel.lets, kernel.expression, NAMES)(list(kernel.operands))


def reference(kernel, element, operands):
    """The result in f64, or in the integers of the kernel; positions and what data chooses as NumPy has them."""
    if kernel.form == "shaped" and kernel.kind != "groups":
        return function(kernel)(*operands.values())
    wide = {"f16": np.float64, "bf16": np.float64, "f32": np.float64, "f64": np.float64, "c64": np.complex128}
    with np.errstate(all="ignore"):
        own = next(iter(operands.values())).dtype
        given = [array.astype(wide[element]) if element in wide and array.dtype == own else array for array in operands.values()]
        return function(kernel)(*given)


def variants(job):
    kernel = job.kernel
    args = list(job.operands.values())

    def plain():
        call = function(kernel)
        return lambda: call(*args)

    def outs():
        if kernel.form == "blend":
            a, b = args
            wide, small = np.empty(a.shape, np.uint16), np.empty_like(a)

            def run():
                np.multiply(a, 3, out=wide, dtype=np.uint16)
                np.add(wide, b, out=wide)
                np.floor_divide(wide, 4, out=wide)
                small[...] = wide
                return small

            return run
        if kernel.form == "map":
            return chain(kernel.lets, kernel.expression, job.operands, CALLS, np.empty_like)
        out = np.empty(job.out_shape, args[0].dtype)
        if kernel.file == "k11_centre":
            return lambda: np.subtract(args[0], args[1][None, :], out=out)
        if kernel.file == "k11_outer":
            return lambda: np.multiply(args[0][:, None], args[1][None, :], out=out)
        if kernel.form == "strided":
            return lambda: np.add(np.multiply(args[0][::2], 2, out=out), args[1], out=out)
        if kernel.form in ("axis0", "axis1"):
            axis = int(kernel.form[-1])
            return lambda: np.sum(args[0], axis, out=out)
        raise TypeError("no out=")

    yield "numpy", plain
    if kernel.form == "shaped":
        if kernel.file in OTHERS:
            name, other = OTHERS[kernel.file]
            yield name, lambda: lambda: other(*args)
        return
    if kernel.form not in ("dot", "mse") and "where" not in kernel.expression:
        yield "numpy out=", outs
    if kernel.form == "dot":
        yield "numpy dot", lambda: lambda: np.dot(*args)
