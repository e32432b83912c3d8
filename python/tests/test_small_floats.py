"""Floats of one and two bytes from ``ml_dtypes``: read, computed, returned, promoted, pickled."""

import pickle

import numpy as np
import pytest

import arrlang as arr

ml_dtypes = pytest.importorskip("ml_dtypes")
NAMES = {"f8_e4m3": "float8_e4m3fn", "f8_e5m2": "float8_e5m2", "bf16": "bfloat16"}
BOTH = pytest.mark.parametrize("short,long", NAMES.items())
#: Zeros, the least, ties, the greatest, what is none.
VALUES = [0.0, -0.0, 1.0, 2.5, -3.0, 0.0625, 0.001953125, 240.0, np.nan]


def array(long, values=VALUES):
    return np.array(values, getattr(ml_dtypes, long))


def same(made, expected):
    """The same dtype and bits, but for those of what is no number."""
    expected = np.asarray(expected)
    return made.dtype == expected.dtype and np.array_equal(made.astype("f8"), expected.astype("f8"), equal_nan=True)


@BOTH
@pytest.mark.parametrize("text", ["x", "x + x", "x * y", "x - y / x", "-x", "abs(x)", "sqrt(abs(x))", "x * 2 + 1", "x < y", "where(x > 1, x, y)"])
def test_values_are_those_of_ml_dtypes(short, long, text):
    x, y = array(long), array(long, VALUES[::-1])
    with np.errstate(all="ignore"):
        expected = eval(text, {"abs": abs, "sqrt": np.sqrt, "where": np.where}, {"x": x, "y": y})
    assert same(arr.evaluate(text, {"x": x, "y": y}), expected)
    k = arr.compile(text, {"x": f"{short}[n]", "y": f"{short}[n]"})
    assert k.dtype == expected.dtype and same(k(x, y), expected)
    out = np.empty(len(x), expected.dtype)
    assert k(x, y, out=out) is out and same(out, expected)
    assert same(pickle.loads(pickle.dumps(k))(x, y), expected)


@BOTH
def test_layouts_scalars_lists_and_results_without_axes(short, long):
    x = array(long)
    for view in [x[::-1], x[::2], x[:0], np.asfortranarray(x.reshape(3, 3)), x.reshape(3, 3).T, np.broadcast_to(x[3], (2, 4))]:
        assert same(arr.evaluate("v + v", {"v": view}), view + view)
    k = arr.compile("x * s", x=f"{short}[n]", s=short)
    for scalar in [2, 2.0, np.float32(2).astype(x.dtype), array(long, 2)]:
        assert same(k(x, scalar), x * x.dtype.type(2))
    assert same(k([1, 2.5], 2), array(long, [2, 5]))
    made = arr.evaluate("max(x)", {"x": x[:-1]})
    assert type(made) is x.dtype.type and made == 240
    read_only = x.copy()
    read_only.flags.writeable = False
    assert same(arr.evaluate("r + r", {"r": read_only}, copy=False), x + x)
    with pytest.raises(ValueError, match="read-only"):
        k(x, 1, out=read_only)
    with pytest.raises(TypeError, match="dtype"):
        k(x, 1, out=np.empty(len(x), "u1"))


@BOTH
def test_conversions_round_once(short, long):
    wide = np.array([0.3, 1.0625, 1.1875, 17.5, 1e-3, -300.0, 1e6, 2.0**-9 * 1.5])
    with np.errstate(all="ignore"):
        assert same(arr.evaluate(f"{short}(wide)"), wide.astype(getattr(ml_dtypes, long)))
    x = array(long)
    assert same(arr.evaluate("f32(x)"), x.astype("f4"))


def test_promotion_says_what_each_library_does():
    e4, e5 = ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2
    assert arr.promote(e4, 1) == e4 and arr.promote("f8_e5m2", np.float32) == np.float32
    assert arr.result_type(np.dtype(e4)) == e4 and arr.result_type(array("float8_e5m2"), 2) == e5
    assert arr.promote(e5, 2.0) == np.float32 == (array("float8_e5m2") * 2.0).dtype, "which is what NumPy's functions do"
    for other in [np.bool_, np.int8, np.float32]:
        assert arr.promote(e4, other) == np.result_type(np.dtype(e4), other)
    for system in ["jax", "torch"]:
        with pytest.raises(TypeError):
            arr.promote(e4, e5, system=system)
    assert "f8_e4m3" in arr.explain("f8_e4m3", "i32", system="jax")


def test_what_a_library_does_not_compute_is_an_error_with_a_place():
    x = array("float8_e4m3fn")
    with pytest.raises(arr.CheckError) as caught:
        arr.evaluate("x + x", {"x": x}, system="torch")
    assert caught.value.name == "unsupported-dtype" and caught.value.span is not None
    with pytest.raises(arr.CheckError) as caught:
        arr.compile("x + y", x="f8_e4m3[n]", y="f8_e5m2[n]", system="jax")
    assert caught.value.name == "no-common-dtype"
    with pytest.raises(arr.CheckError) as caught:
        arr.compile("x", x="f8_e4m3[n]")(array("float8_e5m2"))
    assert caught.value.name == "input-dtype"
    for missing in ["float8_e3m4", "float8_e8m0fnu", "float4_e2m1fn", "int4"]:
        with pytest.raises(TypeError, match=f"no dtype {missing}"):
            arr.evaluate("v", {"v": np.ones(2, getattr(ml_dtypes, missing))})
