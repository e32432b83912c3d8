"""JAX on the CPU: one jitted function. It has no `out=`; the time is until the result is there."""

import os

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["JAX_ENABLE_X64"] = "1"

from libraries.chain import evaluated

jax = jnp = None
NAMES = {}


def start(threads):
    global jax, jnp
    # XLA's pool has as many threads as it is given processors, when it starts.
    if threads == 1:
        os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    import jax as library
    import jax.numpy as names
    import jax.scipy.special as special

    jax, jnp = library, names
    for name in ("exp", "log", "sin", "cos", "tanh", "sqrt", "log1p", "abs", "maximum", "where", "sum", "mean"):
        NAMES[name] = getattr(names, name)
    NAMES["erf"] = special.erf
    jax.block_until_ready(jnp.zeros(8) + 1)


def version():
    return f"JAX {jax.__version__}"


def array(result):
    import numpy

    return numpy.asarray(result)


def blend(a, b):
    return ((a.astype(jnp.uint16) * 3 + b.astype(jnp.uint16)) // 4).astype(jnp.uint8)


#: Kernels whose results data shape; what has no length beforehand runs without `jit`.
SHAPED = {
    "select": lambda x: x[x > 0],
    "gather": lambda x, i: x[i],
    "sort": lambda x: jnp.sort(x),
    "argsort": lambda x: jnp.argsort(x),
    "median": lambda x: jnp.median(x),
    "unique": lambda x: jnp.unique(x),
    "bincount": lambda g: jnp.bincount(g, length=1000),
    "segment": lambda x, g: jax.ops.segment_sum(x, g, 1000),
    "segment_many": lambda x, g: jax.ops.segment_sum(x, g, 1_000_000),
    "histogram": lambda x: jnp.histogram(x, 100)[0],
    "interp": lambda x, xp, fp: jnp.interp(x, xp, fp),
    "searchsorted": lambda a, x: jnp.searchsorted(a, x),
}


def variants(job):
    kernel = job.kernel
    args = [jnp.asarray(value) for value in job.operands.values()]

    def make():
        if kernel.form == "shaped":
            function = SHAPED[kernel.file]
            call = function if kernel.file in ("select", "unique") else jax.jit(function)
            return lambda: call(*args).block_until_ready()
        function = blend if kernel.form == "blend" else evaluated(kernel.lets, kernel.expression, NAMES)(list(kernel.operands))
        call = jax.jit(function)
        return lambda: call(*args).block_until_ready()

    yield "jax", make
