"""`arr` itself, called from Python: what a call costs beside the worker that is Rust alone."""

import numpy as np

import arrlang


def start(threads):
    arrlang.set_threads(threads)


def version():
    return f"the package arrlang {arrlang.__version__}"


def array(result):
    return np.asarray(result)


def variants(job):
    args = list(job.operands.values())

    def make(out):
        kernel = arrlang.compile(job.kernel.text, job.operands)
        if out is None:
            return lambda: kernel(*args)
        out = np.empty(job.out_shape, kernel.dtype)
        return lambda: kernel(*args, out=out)

    yield "arr in Python", lambda: make(None)
    yield "arr in Python out=", lambda: make(True)
