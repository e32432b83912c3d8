"""pandas: what a `Series` is asked for. It stands in the table for kernels whose results data shape alone."""

import numpy as np
import pandas as pd


def start(threads):
    pass


def version():
    return f"pandas {pd.__version__}"


def array(result):
    return np.asarray(result)


SHAPED = {
    "select": lambda x: x[x > 0],
    "gather": lambda x, i: x.take(i),
    "sort": lambda x: x.sort_values(),
    "argsort": lambda x: x.argsort(),
    "median": lambda x: x.median(),
    "unique": lambda x: np.sort(x.unique()),
    "bincount": lambda g: g.value_counts(sort=False).sort_index(),
    "segment": lambda x, g: x.groupby(g).sum(),
    "segment_many": lambda x, g: x.groupby(g).sum(),
    "searchsorted": lambda a, x: a.searchsorted(x),
}


def variants(job):
    file = job.kernel.file
    if job.kernel.form != "shaped" or file not in SHAPED:
        return
    args = [pd.Series(value) for value in job.operands.values()]
    if file == "gather":
        args[1] = args[1].to_numpy()
    if file == "searchsorted":
        args[1] = args[1].to_numpy()
    yield "pandas", lambda: lambda: SHAPED[file](*args)
