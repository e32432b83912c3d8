"""Reads the table once with one library: `peer.py LIBRARY FILE THREADS` prints seconds of wall and of processor time.

Neither the start of Python nor the import is counted. Dates are dates and words are words, as each library has them.
"""

import json
import os
import sys
import time


def polars(path, _threads):
    import polars

    schema = {"symbol": polars.Categorical}
    return lambda: polars.read_csv(path, try_parse_dates=True, schema_overrides=schema), lambda found: (
        found["volume"].sum(), found["ratio"].sum(), found.height)


def duckdb(path, threads):
    import duckdb

    connection = duckdb.connect(config={"threads": threads})
    read = f"create or replace table t as select * from read_csv('{path}')"
    sums = "select sum(volume), sum(ratio), count(*) from t"
    return lambda: connection.execute(read), lambda _: connection.execute(sums).fetchone()


def pandas(path, _threads):
    import pandas

    words = {"symbol": "category"}
    return lambda: pandas.read_csv(path, dtype=words, parse_dates=["day"], date_format="%Y-%m-%d"), lambda found: (
        found["volume"].sum(), found["ratio"].sum(), len(found))


def pyarrow(path, threads):
    import pyarrow
    import pyarrow.compute
    from pyarrow import csv

    pyarrow.set_cpu_count(threads)
    options = csv.ConvertOptions(column_types={"symbol": pyarrow.dictionary(pyarrow.int32(), pyarrow.string())})
    reading = csv.ReadOptions(use_threads=threads > 1)
    total = lambda column: pyarrow.compute.sum(column).as_py()
    return lambda: csv.read_csv(path, convert_options=options, read_options=reading), lambda found: (
        total(found["volume"]), total(found["ratio"]), found.num_rows)


def numpy(path, _threads):
    import numpy

    row = [("id", "i8"), ("day", "M8[D]"), ("symbol", "U3"), ("open", "f8"), ("close", "f8"), ("volume", "i8"),
           ("ratio", "f8"), ("flag", "U5")]
    return lambda: numpy.loadtxt(path, dtype=row, delimiter=",", skiprows=1), lambda found: (
        found["volume"].sum(), found["ratio"].sum(), len(found))


def main():
    library, path, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
    read, sums = globals()[library](path, threads)
    before, begun = os.times(), time.perf_counter()
    found = read()
    wall, after = time.perf_counter() - begun, os.times()
    volume, ratio, count = sums(found)
    processor = after.user + after.system - before.user - before.system
    version = __import__(library).__version__
    print(json.dumps({"wall": wall, "cpu": processor, "sums": [int(volume), float(ratio), int(count)], "version": version}))


if __name__ == "__main__":
    main()
