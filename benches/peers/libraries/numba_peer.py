"""Numba: the loop that somebody writes who knows Numba well.

Constants have the dtype of the operands, division follows IEEE (`error_model="numpy"`, without which it is not
vectorised), sums may be regrouped (without which they are not vectorised either), threads come by `prange`.
"""

import math
import re

import numba
import numpy as np

NUMBER = re.compile(r"(?<![\w.])(?<!\*\*)(\d+\.\d*|\d+)")
TYPES = {"u8": np.uint8, "u32": np.uint32, "i32": np.int32, "i64": np.int64, "f32": np.float32, "f64": np.float64, "c64": np.complex64}


@numba.njit(inline="always")
def where(condition, x, y):
    return x if condition else y


@numba.njit(inline="always")
def maximum(x, y):
    return x if x > y else y


NAMES = {name: getattr(math, name) for name in ("exp", "log", "sin", "cos", "tanh", "sqrt", "log1p", "erf")}
NAMES |= {"where": where, "maximum": maximum, "abs": abs, "np": np, "prange": numba.prange}


def select(x):
    out, at = np.empty_like(x), 0
    for value in x:
        if value > 0:
            out[at] = value
            at += 1
    return out[:at].copy()


def bincount(g):
    out = np.zeros(g.max() + 1, np.int64)
    for label in g:
        out[label] += 1
    return out


def segment(x, g, count):
    out = np.zeros(count, x.dtype)
    for i in range(x.size):
        out[g[i]] += x[i]
    return out


#: The loops that somebody writes for kernels whose results data shape, and what Numba has itself.
SHAPED = {
    "select": select,
    "gather": lambda x, i: x[i],
    "sort": lambda x: np.sort(x),
    "argsort": lambda x: np.argsort(x),
    "median": lambda x: np.median(x),
    "unique": lambda x: np.unique(x),
    "bincount": bincount,
    "segment": lambda x, g: segment(x, g, 1000),
    "segment_many": lambda x, g: segment(x, g, 1_000_000),
    "histogram": lambda x: np.histogram(x, 100)[0],
    "interp": lambda x, xp, fp: np.interp(x, xp, fp),
    "searchsorted": lambda a, x: np.searchsorted(a, x),
}
segment = numba.njit(inline="always", error_model="numpy")(segment)


def start(threads):
    numba.set_num_threads(threads)


def version():
    svml = " with SVML" if numba.config.USING_SVML else ""
    return f"Numba {numba.__version__}{svml}"


def array(result):
    return np.asarray(result)


def variants(job):
    kernel = job.kernel
    if job.dtype in ("f16", "bf16"):
        return
    args = list(job.operands.values())
    element = np.float32 if kernel.file == "k10_mixed" else TYPES[job.dtype]
    name = "numba svml" if numba.config.USING_SVML else "numba"
    if kernel.form == "shaped":
        yield name, lambda: (lambda call: lambda: call(*args))(numba.njit(error_model="numpy")(SHAPED[kernel.file]))
        return
    source, scope, fast = written(kernel, element, job.threads)
    loop = None

    def compiled():
        nonlocal loop
        if loop is None:
            exec(compile(source, "<kernel>", "exec"), scope)
            options = {"error_model": "numpy", "parallel": job.threads > 1}
            loop = numba.njit(scope["kernel"], fastmath={"reassoc", "contract"} if fast else False, **options)
        return loop

    if kernel.form in ("dot", "mse"):
        yield name, lambda: (lambda call: lambda: call(*args))(compiled())
        return

    def allocating():
        call, shape = compiled(), job.out_shape

        def run():
            out = np.empty(shape, element)
            call(*args, out)
            return out

        return run

    def outs():
        call, out = compiled(), np.empty(job.out_shape, element)

        def run():
            call(*args, out)
            return out

        return run

    yield name, allocating
    yield f"{name} out=", outs


def written(kernel, element, threads):
    """The source of a loop, what its names mean, and whether it may regroup."""
    scope = dict(NAMES)

    def name(match):
        label = "const_" + match.group(1).replace(".", "_")
        scope[label] = element(float(match.group(1)) if "." in match.group(1) else int(match.group(1)))
        return label

    def at(text):
        text = NUMBER.sub(name, text)
        for operand in kernel.operands:
            text = re.sub(rf"\b{operand}\b", f"{operand}_", text)
        return text

    arguments = ", ".join(f"{operand}_in" for operand in kernel.operands)
    loads = "; ".join(f"{operand}_ = {operand}_in[i]" for operand in kernel.operands)
    scope["zero"], scope["element"], scope["threads"] = element(0), element, threads
    if kernel.form == "blend":
        body = "out[i] = np.uint8((np.uint16(a_) * np.uint16(3) + np.uint16(b_)) >> np.uint16(2))"
    elif kernel.file == "k10_mixed":
        body = "out[i] = element(i_) + x_"
    else:
        lets = "".join(f"{label} = {at(text)}\n        " for label, text in kernel.lets)
        body = f"{lets}out[i] = {at(kernel.expression)}"
    index = "j" if kernel.file == "k10_mixed" else "i"
    if kernel.file == "k10_mixed":
        loads, body = "i_ = i_in[j]; x_ = x_in[j]", "out[j] = element(i_) + x_"
    forms = {
        "map": f"""
def kernel({arguments}, out):
    for {index} in prange(out.size):
        {loads}
        {body}
""",
        "blend": f"""
def kernel({arguments}, out):
    for i in prange(out.size):
        {loads}
        {body}
""",
        "strided": f"""
def kernel(a_in, b_in, out):
    for i in prange(out.size):
        out[i] = a_in[2*i]*{NUMBER.sub(name, '2')} + b_in[i]
""",
        "rows": f"""
def kernel({arguments}, out):
    for i in prange(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = {'x_in[i, j] - m_in[j]' if kernel.file == 'k11_centre' else 'a_in[i]*b_in[j]'}
""",
        "dot": """
def kernel(a_in, b_in):
    total = zero
    for i in prange(a_in.size):
        total += a_in[i]*b_in[i]
    return total
""",
        "mse": """
def kernel(a_in, b_in):
    total = zero
    for i in prange(a_in.size):
        total += (a_in[i] - b_in[i])**2
    return total / a_in.size
""",
        "axis0": """
def kernel(x_in, out):
    rows, columns = x_in.shape
    part = (columns + threads - 1)//threads
    for t in prange(threads):
        begin, end = t*part, min((t + 1)*part, columns)
        own = out[begin:end]
        own[:] = zero
        for i in range(rows):
            row = x_in[i, begin:end]
            for j in range(own.size):
                own[j] += row[j]
""",
        "axis1": """
def kernel(x_in, out):
    for i in prange(x_in.shape[0]):
        total = zero
        for j in range(x_in.shape[1]):
            total += x_in[i, j]
        out[i] = total
""",
    }
    return forms[kernel.form], scope, kernel.form in ("dot", "mse", "axis1")
