"""The engines that people have: each is the real one, where it is installed."""

import os
import pathlib
import signal

import numpy as np
import pytest

import arrlang as arr


def scaled():
    return arr.compile("2*x + 3*y", x="f4[n, m]".replace("f4", "f32"), y="f32[n, m]")


def test_dask_map_blocks():
    da = pytest.importorskip("dask.array")
    k = scaled()
    x, y = np.random.default_rng(1).random((2, 500, 300), "f4")
    z = da.map_blocks(k, da.from_array(x, (128, 100)), da.from_array(y, (128, 100)), dtype=k.dtype, meta=k.meta)
    assert z.dtype == np.float32
    assert np.array_equal(z.compute(scheduler="threads"), 2 * x + 3 * y)


def test_a_cluster_over_zarr_survives_the_death_of_a_worker(tmp_path):
    """Two processes, from Zarr to Zarr; one of them is killed while it works. ``ARR_CLUSTER_MB`` sets how much."""
    da, distributed, zarr = (pytest.importorskip(name) for name in ("dask.array", "distributed", "zarr"))
    megabytes = int(os.environ.get("ARR_CLUSTER_MB", 64))
    rows = megabytes * 256
    x = zarr.create_array(str(tmp_path / "x.zarr"), shape=(rows, 1024), chunks=(rows // 16, 1024), dtype="f4")
    for start in range(0, rows, rows // 16):
        x[start : start + rows // 16] = np.arange(start, start + rows // 16, dtype="f4")[:, None] % 1000
    k = arr.compile("sqrt(x) * 2 + 1", x="f32[n, m]", threads=1)
    with distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None, local_directory=tmp_path) as cluster:
        with distributed.Client(cluster) as client:
            source = da.from_zarr(str(tmp_path / "x.zarr"))
            z = da.map_blocks(k, source, dtype=k.dtype, meta=k.meta)
            job = client.compute(z.to_zarr(str(tmp_path / "z.zarr"), compute=False))
            distributed.wait(client.submit(int, 1))
            first = next(iter(client.run(os.getpid).values()))
            os.kill(first, signal.SIGKILL)
            job.result(timeout=300)
    made = zarr.open_array(str(tmp_path / "z.zarr"), mode="r")
    assert made.dtype == np.float32 and made.shape == (rows, 1024)
    for start in range(0, rows, max(1, rows // 8)):
        expected = np.sqrt(np.float32(start % 1000)) * np.float32(2) + np.float32(1)
        assert np.array_equal(made[start], np.full(1024, expected))


def test_xarray_keeps_names_and_coordinates():
    xr = pytest.importorskip("xarray")
    k = arr.compile("a * 9/5 + 32", a="f64[t, s]")
    given = xr.DataArray(np.arange(6.0).reshape(2, 3), dims=("time", "station"), coords={"station": ["x", "y", "z"]}, name="t")
    made = xr.apply_ufunc(k, given, output_dtypes=[k.dtype])
    assert made.dims == given.dims and list(made.station.values) == ["x", "y", "z"] and made.name == "t"
    assert np.array_equal(made.values, given.values * 9 / 5 + 32)
    pytest.importorskip("dask.array")
    lazily = xr.apply_ufunc(k, given.chunk({"time": 1}), dask="parallelized", output_dtypes=[k.dtype])
    assert np.array_equal(lazily.compute().values, made.values)


def test_joblib_workers():
    joblib = pytest.importorskip("joblib")
    k = arr.compile("sum(x)", x="f64[n]", threads=1)
    made = joblib.Parallel(2)(joblib.delayed(k)(np.full(n, 2.0)) for n in range(8))
    assert made == [2.0 * n for n in range(8)]


def test_a_pool_of_forked_processes():
    import multiprocessing

    k = arr.compile("sum(x)", x="f64[n]", threads=1)
    k(np.ones(3))
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(k, [np.ones(n) for n in range(5)]) == [0, 1, 2, 3, 4]


def test_ray():
    ray = pytest.importorskip("ray")
    os.environ["RAY_AUTH_MODE"] = "disabled"
    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=200_000_000)
    k = arr.compile("x * 2", x="f64[n]")
    try:
        made = ray.data.from_items([{"x": float(n)} for n in range(10)]).map_batches(lambda batch: {"x": k(batch["x"])})
        assert sorted(row["x"] for row in made.take_all()) == [2.0 * n for n in range(10)]
    finally:
        ray.shutdown()


def test_the_page_of_the_engines_is_there():
    assert "map_blocks" in (pathlib.Path(__file__).parents[1] / "README.md").read_text()
