"""What is taken as an array, and how it comes back."""

import numpy as np
import pytest

import arrlang as arr

LAYOUTS = {
    "fortran": lambda a: np.asfortranarray(a),
    "transposed": lambda a: a.T.copy().T,
    "reversed": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
    "strided": lambda a: np.repeat(a, 2, axis=1)[:, ::2],
    "read-only": lambda a: _read_only(a),
    "unaligned": lambda a: np.frombuffer(b"\0" + a.tobytes(), a.dtype, offset=1).reshape(a.shape),
    "big-endian": lambda a: a.astype(a.dtype.newbyteorder(">")),
    "subclass": lambda a: a.view(np.matrix) if a.ndim == 2 else a,
}


def _read_only(a):
    a = a.copy()
    a.flags.writeable = False
    return a


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["bool", "i1", "u2", "i4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"])
def test_every_layout_is_read_as_it_is(layout, dtype):
    a = (np.arange(12).reshape(3, 4) % 5).astype(dtype)
    given = LAYOUTS[layout](a)
    made = arr.evaluate("given + given")
    assert made.dtype == (a + a).dtype and np.array_equal(made, a + a)
    assert np.array_equal(given, a), "an input is never written to"


def test_zero_strides_no_elements_and_no_axes():
    for a in [np.broadcast_to(np.float32(3), (2, 5)), np.empty((0, 3)), np.float64(2.5), np.array(7, "i2")]:
        made = arr.evaluate("a * 2")
        assert made.dtype == (a * 2).dtype and np.array_equal(made, a * 2)


def test_truth_of_any_byte():
    odd = np.array([0, 1, 255, 2], "u1").view(bool)
    assert np.array_equal(arr.evaluate("i32(odd)"), [0, 1, 1, 1])


def test_results_without_axes_are_scalars_of_numpy():
    a = np.arange(4, dtype="f4")
    assert type(arr.evaluate("sum(a)")) is np.float32


def test_results_share_nothing_with_inputs():
    a = np.arange(4.0)
    for text in ["a", "a[::-1]", "reshape(a, (2, 2))"]:
        made = arr.evaluate(text)
        assert not np.shares_memory(made, a) and made.flags.writeable and made.flags.owndata is False
        made[...] = 0
        assert a[1] == 1


def test_what_is_written_to_a_result_is_one_element():
    a = np.arange(6.0)
    for text in ["broadcast_to(a + 1, (2, 6))", "sliding_window_view(a + 1, 3)", "sliding_window_view(a, 3)", "a + 1"]:
        made = arr.evaluate(text)
        if made.flags.writeable:
            made[..., 1] = 99
            assert (made == 99).sum() == made[..., 1].size and a.max() == 5


def test_copy_false_refuses_what_takes_one():
    big, ok = np.arange(3, dtype=">f8"), np.arange(3.0)
    k = arr.compile("x * 2", x="f64[n]")
    assert np.array_equal(k(big), ok * 2) and np.array_equal(k(ok, copy=False), ok * 2)
    for given in [big, [1.0, 2.0]]:
        with pytest.raises(ValueError, match="copy"):
            k(given, copy=False)


def test_bfloat16_of_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    a = np.array([1, 2.5, -3], ml_dtypes.bfloat16)
    made = arr.evaluate("a * 2 + 1")
    assert made.dtype == ml_dtypes.bfloat16 and made.tolist() == [3, 6, -5]
    k = arr.compile("x / 3", x="bf16[n]")
    out = np.empty(3, ml_dtypes.bfloat16)
    k(a, out=out)
    assert k.dtype == ml_dtypes.bfloat16 and np.array_equal(out, (a / ml_dtypes.bfloat16(3)))


class Exported:
    """Offers its memory by one protocol alone."""

    def __init__(self, array, **protocols):
        self._array = array
        if "dlpack" in protocols:
            type(self).__dlpack__ = lambda self, **options: self._array.__dlpack__()
            type(self).__dlpack_device__ = lambda self: self._array.__dlpack_device__()


class Interface:
    def __init__(self, array):
        self._array = array
        self.__array_interface__ = array.__array_interface__


def test_dlpack_and_the_array_interface():
    a = np.arange(5, dtype="f4")
    k = arr.compile("x + 1", x="f32[n]")
    for given in [Exported(a, dlpack=True), Interface(a), list(map(np.float32, a)), memoryview(a)]:
        assert np.array_equal(k(given), a + 1)


def test_what_is_no_array_says_so():
    for given in [np.ma.masked_array([1.0, 2.0], [True, False]), np.array([object()]), np.array(["a"]), "text"]:
        with pytest.raises(TypeError):
            arr.compile("x + 1", x="f64[n]")(given)
    days, spans, parts = np.array(["2026-11-23"], "M8[D]"), np.array([3], "m8[s]"), np.zeros(2, "f4,i4")
    for text, name in [("days + 1", "datetime64"), ("spans * 2", "timedelta64"), ("parts + 1", "f0")]:
        with pytest.raises(TypeError, match=f"no dtype .*{name}"):
            arr.evaluate(text)
    with pytest.raises(TypeError, match="longdouble|float128"):
        a = np.ones(2, np.longdouble)
        arr.evaluate("a + 1")


def test_pandas_and_xarray():
    pandas, xarray = pytest.importorskip("pandas"), pytest.importorskip("xarray")
    k = arr.compile("x + 1", x="f64[n]")
    assert np.array_equal(k(pandas.Series([1.0, 2.0])), [2, 3])
    assert np.array_equal(k(xarray.DataArray([1.0, 2.0], dims="t")), [2, 3])


#: Columns of other libraries, with whether they are taken where they lie.
COLUMNS = {
    "pandas": {
        "Series([1.0, 2.0, 3.0])": True, "Series([1, 2, 3], dtype='Int64')": True, "DataFrame({'a': [1.0, 2.0], 'b': [3.0, 4.0]})": True,
        "Series([1.0, 2.0], dtype='category')": False, "DataFrame({'a': [1.0], 'b': [2]})": False, "Series([1, None], dtype='Int64')": False,
    },
    "polars": {
        "Series([1.0, 2.0, 3.0])": True, "Series([1.0, 2.0, 3.0])[1:]": True, "Series([1.0, None])": False, "Series([True, False])": False,
    },
    "pyarrow": {
        "array([1.0, 2.0, 3.0])": True, "array([1, 2, 3])[1:]": True, "array([1.0, None])": False, "array([True, False])": False,
        "chunked_array([[1.0], [2.0]])": False, "array([1.0, 2.0, 1.0]).dictionary_encode()": False,
    },
}


@pytest.mark.parametrize("library,made,lies", [(library, made, lies) for library, all in COLUMNS.items() for made, lies in all.items()])
def test_columns_of_other_libraries_are_taken_where_they_lie_or_say_why_not(library, made, lies):
    column = eval(f"library.{made}", {"library": pytest.importorskip(library)})
    expected = np.asarray(column)
    assert np.array_equal(arr.evaluate("column"), expected, equal_nan=expected.dtype.kind == "f")
    if lies:
        assert np.array_equal(arr.evaluate("column", copy=False), expected)
    else:
        with pytest.raises(ValueError, match=f"{library}.*copy"):
            arr.evaluate("column", copy=False)


@pytest.mark.parametrize("library,made", [("pandas", "Series(['a', 'b'])"), ("polars", "Series(['a'])"), ("pyarrow", "array(['a'])"), ("pyarrow", "scalar(2.0)")])
def test_columns_that_are_no_numbers_say_so(library, made):
    column = eval(f"library.{made}", {"library": pytest.importorskip(library)})
    with pytest.raises(TypeError, match="no dtype|no array of numbers"):
        arr.evaluate("column")


def test_numbers_in_a_list_take_the_dtype_of_the_input():
    small, half = arr.compile("x + 0", x="i8[n]"), arr.compile("x * 2", x="f16[m, n]")
    assert small([1, -2]).tolist() == [1, -2] and half([[1, 2.5]]).tolist() == [[2, 5]]
    assert arr.compile("x * 2", x="u8[n]")((1, 2)).dtype == np.uint8
    with pytest.raises(OverflowError):
        small([300])
    for wrong in [[1.5], ["a"], [None]]:
        with pytest.raises(TypeError):
            small(wrong)
