"""``evaluate``: names, scalars, dtypes, out, casting, order."""

import warnings

import numpy as np
import pytest

import arrlang as arr

DTYPES = ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]


def test_names_come_from_the_frame_and_from_dictionaries():
    a, b = np.arange(5), np.linspace(0, 1, 5)
    assert np.array_equal(arr.evaluate("2*a + 3*b"), 2 * a + 3 * b)
    assert np.array_equal(arr.evaluate("a + b", {"a": a}, {"b": b, "a": b}), a + b)
    assert np.array_equal(arr.evaluate("a + b", local_dict={"a": a, "b": a}), a + a)
    assert np.array_equal(arr.evaluate("a * k", k=3), a * 3)


def test_a_name_that_is_a_function_stays_the_language_s_own():
    a = np.arange(5.0)
    sum = max = lambda *given: None  # noqa: A001, F841
    assert arr.evaluate("sum(a)") == 10.0


@pytest.mark.parametrize("left", DTYPES)
@pytest.mark.parametrize("right", DTYPES)
def test_sums_have_the_dtype_and_the_values_of_numpy(left, right):
    a, b = np.array([0, 1, 1, 0, 1]).astype(left), np.array([1, 1, 0, 0, 1]).astype(right)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = arr.evaluate("a + b")
    assert made.dtype == (a + b).dtype
    assert np.array_equal(made, a + b)


@pytest.mark.parametrize("number", [2, 2.5, 2 + 1j, True, -3, 0.1])
@pytest.mark.parametrize("dtype", ["i1", "i8", "u2", "f2", "f4", "f8", "c8"])
def test_numbers_of_python_are_weak_as_in_numpy(dtype, number):
    a = np.array([1, 2, 3]).astype(dtype)
    try:
        expected = a * number
    except OverflowError:
        with pytest.raises(arr.CheckError):
            arr.evaluate("a * number")
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = arr.evaluate("a * number")
    assert made.dtype == expected.dtype
    assert np.array_equal(made, expected)


def test_out_gets_the_result_and_is_answered():
    a = np.arange(6.0)
    out = np.empty(6)
    assert arr.evaluate("a * 2", out=out) is out
    assert np.array_equal(out, a * 2)
    narrow = np.empty(6, np.float32)
    with pytest.raises(TypeError):
        arr.evaluate("a * 2", out=narrow)
    arr.evaluate("a * 2", out=narrow, casting="same_kind")
    assert np.array_equal(narrow, (a * 2).astype("f4"))
    with pytest.raises(ValueError):
        arr.evaluate("a * 2", out=np.empty(7))
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        arr.evaluate("a * 2", out=out)


def test_order_is_as_asked():
    a = np.ones((3, 4))
    assert arr.evaluate("a + 1").flags.c_contiguous
    assert arr.evaluate("a + 1", order="F").flags.f_contiguous
    with pytest.raises(ValueError):
        arr.evaluate("a + 1", order="Z")


def test_mistakes_are_type_errors_with_parts():
    a = np.arange(3)
    with pytest.raises(arr.CheckError) as caught:
        arr.evaluate("a + bb")
    error = caught.value
    assert isinstance(error, TypeError)
    assert (error.code, error.name, error.span) == ("E0201", "unknown-name", (4, 6))
    assert "bb" in error.message and "a + bb" in str(error)
    assert "<pre" in error._repr_html_()
    import pickle

    again = pickle.loads(pickle.dumps(error))
    assert again.code == error.code and str(again) == str(error)


def test_findings_are_warnings_with_a_class_each():
    a, b = np.arange(3, dtype="i4"), np.ones(3, "f4")
    with pytest.warns(arr.PrecisionLoss) as caught:
        arr.evaluate("a * b", system="jax")
    assert caught[0].message.diagnostic.name == "precision-loss"
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error", arr.PrecisionLoss)
        with pytest.raises(arr.PrecisionLoss):
            arr.evaluate("a * b", system="jax")
    with pytest.raises(arr.CheckError):
        arr.evaluate("a * b", system="jax", mode="safe")


def test_wrong_options_are_value_errors():
    for options in [{"system": "numpi"}, {"mode": "strict"}, {"width": 16}]:
        with pytest.raises(ValueError):
            arr.evaluate("1 + 1", **options)


def test_run_time_faults_are_run_errors():
    a = np.array([100, 100], np.int8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert np.array_equal(arr.evaluate("a + a"), a + a)
        with pytest.raises(arr.RunError) as caught:
            arr.evaluate("a + a", checked=True)
    assert caught.value.name == "overflow" and "100 + 100" in caught.value.message
    assert isinstance(caught.value, RuntimeError)


def test_a_script_is_evaluated_too():
    x = np.arange(4.0)
    centred, spread = arr.evaluate("let m = mean(x)\nx - m\nmax(x) - min(x)")
    assert np.array_equal(centred, x - x.mean()) and spread == 3.0
