"""PyTorch: eager, eager calls with `out=`, `torch.compile` with and without a result that is there already."""

import os

import numpy as np
import torch
import torch._inductor.config as inductor
import torch.nn.functional

from libraries.chain import chain, evaluated


def maximum(x, y, out=None):
    return torch.clamp(x, min=y, out=out)


NAMES = {name: getattr(torch, name) for name in ("exp", "log", "sin", "cos", "tanh", "sqrt", "log1p", "erf", "abs", "where", "sum", "mean")}
NAMES |= {"maximum": maximum}
CALLS = {name: NAMES[name] for name in ("exp", "log", "sin", "cos", "tanh", "sqrt", "log1p", "erf", "abs", "where", "maximum")} | {
    "negative": torch.neg, "square": torch.square, "greater": torch.gt,
}


def flexible(function):
    """A binary function that takes a number on the left as well."""

    def call(x, y, out=None):
        if not isinstance(x, torch.Tensor):
            x = torch.scalar_tensor(x, dtype=y.dtype)
        return function(x, y, out=out)

    return call


for name, function in {"add": torch.add, "subtract": torch.sub, "multiply": torch.mul, "divide": torch.div,
                       "floor_divide": torch.floor_divide, "remainder": torch.remainder, "and": torch.bitwise_and}.items():
    CALLS[name] = flexible(function)


def start(threads):
    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    if os.environ.get("ARR_PEERS_ISA") == "avx2":
        # Vectors of 256 bits in what is compiled, too.
        inductor.cpp.simdlen = 256


def version():
    return f"PyTorch {torch.__version__}"


def array(result):
    result = result.float() if result.dtype == torch.bfloat16 else result
    return result.numpy()


def tensor(value):
    if value.dtype.name == "bfloat16":
        return torch.from_numpy(value.view(np.int16)).view(torch.bfloat16)
    # The same bits: what is computed with them wraps the same way.
    return torch.from_numpy(value.view(np.int32) if value.dtype == np.uint32 else value)


def blend(a, b):
    return ((a.to(torch.int16) * 3 + b) >> 2).to(torch.uint8)


def grouped(x, g, count):
    return torch.zeros(count, dtype=x.dtype).index_add_(0, g, x)


#: Kernels whose results data shape. It has no `interp`, and its median is one of the elements.
SHAPED = {
    "select": lambda x: x[x > 0],
    "gather": lambda x, i: x[i],
    "sort": lambda x: torch.sort(x)[0],
    "argsort": torch.argsort,
    "median": lambda x: torch.median(x),
    "unique": torch.unique,
    "bincount": torch.bincount,
    "segment": lambda x, g: grouped(x, g, 1000),
    "segment_many": lambda x, g: grouped(x, g, 1_000_000),
    "histogram": lambda x: torch.histc(x, 100, float(x.min()), float(x.max())),
    "searchsorted": torch.searchsorted,
}


def variants(job):
    kernel = job.kernel
    operands = {name: tensor(value) for name, value in job.operands.items()}
    args = list(operands.values())
    if kernel.form == "shaped":
        if kernel.file in SHAPED:
            yield "torch", lambda: lambda: SHAPED[kernel.file](*args)
        if kernel.file == "gather":
            yield "torch take", lambda: lambda: torch.index_select(args[0], 0, args[1])
        return
    function = blend if kernel.form == "blend" else evaluated(kernel.lets, kernel.expression, NAMES)(list(operands))

    yield "torch", lambda: lambda: function(*args)
    if kernel.form == "map" and job.dtype != "c64":
        yield "torch out=", lambda: chain(kernel.lets, kernel.expression, operands, CALLS, torch.empty_like)
    if kernel.form == "dot":
        yield "torch dot", lambda: lambda: torch.dot(*args)
    if kernel.file == "k6_softplus":
        yield "torch softplus", lambda: lambda: torch.nn.functional.softplus(*args)
    if kernel.file == "k6_gelu":
        yield "torch gelu", lambda: lambda: torch.nn.functional.gelu(args[0], approximate="tanh")
    if kernel.file == "k14":
        return
    torch._dynamo.reset()

    def compiled():
        call = torch.compile(function, dynamic=False)
        return lambda: call(*args)

    def into():
        def store(out, *args):
            out.copy_(function(*args))

        call, out = torch.compile(store, dynamic=False), torch.empty_like(function(*args))

        def run():
            call(out, *args)
            return out

        return run

    yield "torch.compile", compiled
    if kernel.kind != "reduction":
        yield "torch.compile out=", into
