"""numexpr: one compiled expression, with and without `out=`. Constants have the dtype of the operands."""

import re

import numexpr
import numpy as np

NUMBER = re.compile(r"(?<![\w.])(?<!\*\*)(\d+\.\d*|\d+)")


def start(threads):
    numexpr.set_num_threads(threads)


def version():
    vml = " with VML" if numexpr.use_vml else ""
    return f"numexpr {numexpr.__version__}{vml}"


def array(result):
    return np.asarray(result)


def variants(job):
    kernel = job.kernel
    if kernel.form == "shaped":
        return
    if job.dtype in ("f16", "bf16", "u8", "u32", "c64"):
        return
    if kernel.file == "k15_div":
        return
    expression = kernel.expression
    for name, text in reversed(kernel.lets):
        expression = re.sub(rf"\b{name}\b", f"({text})", expression)
    given = dict(job.operands)
    if kernel.form == "rows":
        expression = expression.replace("[:, None]", "").replace("[None, :]", "")
        given = {name: value[:, None] if kernel.operands[name] == "column" else value for name, value in given.items()}
    if kernel.form == "strided":
        expression, given["a"] = "a*2 + b", given["a"][::2]
    if kernel.form == "mse":
        expression = "sum((a - b)**2)"
    if kernel.form in ("axis0", "axis1"):
        expression = f"sum(x, axis={kernel.form[-1]})"
    else:
        element = next(iter(given.values())).dtype if kernel.file != "k10_mixed" else np.dtype("f4")
        expression, given = typed(expression, given, element)
    names = list(given)
    args = list(given.values())

    def make(out):
        compiled = numexpr.NumExpr(expression, [(name, numexpr.necompiler.getType(value)) for name, value in given.items()])
        order = [names.index(name) for name in compiled.input_names]
        values = [args[at] for at in order]
        scale = 1 / job.n if kernel.form == "mse" else None
        if scale:
            return lambda: compiled(*values) * scale
        if out is None:
            return lambda: compiled(*values)
        return lambda: compiled(*values, out=out)

    yield "numexpr", lambda: make(None)
    if kernel.kind != "reduction":
        result = np.float32 if kernel.file == "k10_mixed" else args[0].dtype
        yield "numexpr out=", lambda: make(np.empty(job.out_shape, result))


def typed(expression, given, element):
    """The expression with a name for each number, bound to it in the dtype of the operands."""
    given = dict(given)

    def name(match):
        text = match.group(1)
        label = "const_" + text.replace(".", "_")
        given[label] = np.array(float(text) if "." in text else int(text), dtype=element)
        return label

    return NUMBER.sub(name, expression), given
