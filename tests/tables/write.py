"""Writes the tables beside this file, which the tests read, with pyarrow: `python tests/tables/write.py`.

`common` is one table in every encoding, packing and version; the others hold one difficulty each. What they hold is stated in
`src/io/columnar/tests.rs`.
"""

import datetime
import pathlib

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet as pq

HERE = pathlib.Path(__file__).parent
DAYS = [datetime.date(1970, 1, 1) + datetime.timedelta(days) for days in (0, 20_779, -1, 3, 3, 20_000)]

common = pa.table({
    "i8": pa.array([-128, 127, 0, 1, 1, 1], pa.int8()),
    "u16": pa.array([0, 65535, 3, 3, 3, 4], pa.uint16()),
    "i32": pa.array([-(2**31), 2**31 - 1, 5, 6, 7, 8], pa.int32()),
    "i64": pa.array([-(2**63), 2**63 - 1, 5, 6, 7, 8], pa.int64()),
    "u64": pa.array([0, 2**64 - 1, 5, 6, 7, 8], pa.uint64()),
    "f16": pa.array(np.array([0.5, -0.0, 65504, np.inf, np.nan, 6e-8], np.float16)),
    "f32": pa.array([0.5, -0.0, 1e38, 2.5, 2.5, 2.5], pa.float32()),
    "f64": pa.array([0.1, -0.0, 1e308, 2.5, 2.5, 2.5], pa.float64()),
    "flag": pa.array([True, False, False, True, True, True]),
    "gaps": pa.array([1.5, None, 2.5, None, None, 3.5], pa.float32()),
    "count": pa.array([1, None, 3, 4, 5, 6], pa.int32()),
    "word": pa.array(["b", "a", "b", "", "ä", "a"]),
    "day": pa.array(DAYS, pa.date32()),
    "time": pa.array([0, 1_500_000, -1, 3, 4, 5], pa.timestamp("us")),
})


def parquet(name, table=common, **options):
    pq.write_table(table, HERE / f"{name}.parquet", **options)


def arrow(name, table=common, stream=False, rows=None, **options):
    new = pa.ipc.new_stream if stream else pa.ipc.new_file
    with new(str(HERE / f"{name}.arrow"), table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table, max_chunksize=rows)


if __name__ == "__main__":
    for packing in ("none", "snappy", "gzip", "brotli", "zstd", "lz4"):
        parquet(f"common-{packing}", compression=packing, row_group_size=4)
    numbers = ["i8", "u16", "i32", "i64", "u64"]
    floats = ["f32", "f64", "gaps"]
    encoded = {name: "DELTA_BINARY_PACKED" for name in numbers + ["count", "day", "time"]}
    encoded |= {name: "BYTE_STREAM_SPLIT" for name in floats + ["f16"]} | {"word": "DELTA_BYTE_ARRAY", "flag": "RLE"}
    parquet("common-delta", column_encoding=encoded, use_dictionary=False, data_page_version="2.0")
    lengths = {"word": "DELTA_LENGTH_BYTE_ARRAY"} | {name: "BYTE_STREAM_SPLIT" for name in ("i32", "i64")}
    parquet("common-lengths", column_encoding=lengths, use_dictionary=False, row_group_size=1)
    parquet("common-pages", data_page_size=1, data_page_version="2.0", compression="snappy", write_page_index=True)
    parquet("common-old", version="1.0", use_dictionary=False, write_statistics=False, store_schema=False)
    coded = common.set_column(11, "word", common["word"].dictionary_encode())
    parquet("common-coded", coded, row_group_size=2)
    arrow("common-file", rows=4)
    arrow("common-lz4", compression="lz4")
    arrow("common-zstd", compression="zstd", rows=1)
    arrow("common-stream", stream=True, rows=5)
    arrow("common-coded", coded)
    pa.feather.write_feather(common, HERE / "common-feather.feather")
    parquet("empty", common.slice(0, 0))
    arrow("empty", common.slice(0, 0))
    # Groups of no rows stand between others.
    with pq.ParquetWriter(HERE / "edges.parquet", pa.schema({"x": pa.int64()})) as writer:
        for part in ([], [1, 2], [], [3], []):
            writer.write_table(pa.table({"x": pa.array(part, pa.int64())}))
    other = pa.table({
        "seconds": pa.array([0, 2], pa.timestamp("s")),
        "nanos": pa.array([1000, 2000], pa.timestamp("ns", tz="UTC")),
        "finer": pa.array([1000, 2001], pa.timestamp("ns")),
        "day64": pa.array([DAYS[1], DAYS[2]], pa.date64()),
        "price": pa.array(["12.10", "-0.07"], pa.string()).cast(pa.decimal128(20, 2)),
        "large": pa.array(["x", None], pa.large_string()),
        "huge": pa.array([2**53 + 1, None], pa.int64()),
        "none": pa.nulls(2),
        "unsure": pa.array([True, None]),
        "list": pa.array([[1], [2, 3]]),
        "bytes": pa.array([b"a", b"b"]),
        "span": pa.array([1, 2], pa.duration("s")),
    })
    arrow("other", other)
    parquet("other", other.drop_columns(["seconds"]), coerce_timestamps=None)
