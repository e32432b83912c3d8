"""polars: what a `Series` or a frame is asked for. It stands in the table for kernels whose results data shape alone."""

import os

import numpy as np

pl = None


def start(threads):
    global pl
    os.environ["POLARS_MAX_THREADS"] = str(threads)
    import polars

    pl = polars


def version():
    return f"polars {pl.__version__}"


def array(result):
    return np.asarray(result)


def grouped(x, g):
    frame = pl.DataFrame({"x": x, "g": g}).lazy().group_by("g").agg(pl.col("x").sum()).sort("g").collect()
    return frame["x"]


SHAPED = {
    "select": lambda x: x.filter(x > 0),
    "gather": lambda x, i: x.gather(i),
    "sort": lambda x: x.sort(),
    "argsort": lambda x: x.arg_sort(),
    "median": lambda x: x.median(),
    "unique": lambda x: x.unique().sort(),
    "bincount": lambda g: g.value_counts().sort("g")["count"],
    "segment": grouped,
    "segment_many": grouped,
    "histogram": lambda x: x.hist(bin_count=100)["count"],
    "searchsorted": lambda a, x: a.search_sorted(x),
}


def variants(job):
    file = job.kernel.file
    if job.kernel.form != "shaped" or file not in SHAPED:
        return
    args = [pl.Series(name, value) for name, value in job.operands.items()]
    yield "polars", lambda: lambda: SHAPED[file](*args)
