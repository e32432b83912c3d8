"""The rows of the table in ``numexpr.md``, each with its own test: what numexpr does, where it is there, and what arr does."""

import inspect
import pathlib
import re
import warnings

import numpy as np
import pytest

import arrlang as arr

PAGE = pathlib.Path(__file__).parents[1] / "numexpr.md"
TESTS = {}


def row(left):
    """The test of the row whose left cell this is."""

    def kept(test):
        TESTS[left] = test
        return test

    return kept


@pytest.fixture
def ne():
    return pytest.importorskip("numexpr")


def raises(kind, ex, evaluate=arr.evaluate, **names):
    with pytest.raises(kind) as caught:
        evaluate(ex, names, {})
    return caught.value


@row("a number is `int32`, `int64` or `double`")
def numbers(ne):
    x = np.ones(2, "f4")
    assert ne.evaluate("x * 2.5", {"x": x}, {}).dtype == np.float64
    assert arr.evaluate("x * 2.5", {"x": x}).dtype == np.float32 == (x * 2.5).dtype
    assert arr.evaluate("x * 2", {"x": x.astype("i2")}).dtype == np.int16


@row("dtypes below 32 bits are refused or widened")
def small_dtypes(ne):
    for name in ["i1", "u1", "i2", "u2", "f2", "c8"]:
        x = np.array([1, 2], name)
        try:
            assert ne.evaluate("x + x", {"x": x}, {}).dtype != x.dtype
        except (ValueError, TypeError, NotImplementedError):
            pass
        made = arr.evaluate("x + x", {"x": x})
        assert made.dtype == x.dtype and np.array_equal(made, x + x)


@row("`sum(a)` has the dtype of `a`, and `int32` wraps")
def sums(ne):
    for name in ["i4", "i8", "f4", "f8"]:
        x = np.ones(3, name)
        assert ne.evaluate("sum(x)", {"x": x}, {}).dtype == x.dtype
    x = np.full(2, 2**31 - 1, "i4")
    assert ne.evaluate("sum(x)", {"x": x}, {}) == -2 and arr.evaluate("sum(x)", {"x": x}) == 2**32 - 2
    for name in ["?", "i1", "u2", "i4", "u4", "f2", "f4", "f8", "c8"]:
        x = np.ones(3, name)
        assert arr.evaluate("sum(x)", {"x": x}).dtype == x.sum().dtype


@row("the result has no axes: an array")
def without_axes(ne):
    x = np.ones(3)
    assert type(ne.evaluate("sum(x)", {"x": x}, {})) is np.ndarray
    assert type(arr.evaluate("sum(x)", {"x": x})) is np.float64


@row("a wrong name is `KeyError`, a wrong type `NotImplementedError`")
def mistakes(ne):
    raises(KeyError, "nobody + 1", ne.evaluate)
    raises(NotImplementedError, "~x", ne.evaluate, x=np.ones(2))
    name, kind = raises(arr.CheckError, "nobody + 1"), raises(arr.CheckError, "~x", x=np.ones(2))
    assert isinstance(name, TypeError) and name.span == (0, 6) and kind.span is not None and kind.fixes


@row("strings and `contains`")
def strings(ne):
    x = np.array([b"ab", b"cd"])
    assert ne.evaluate("contains(x, b'a')", {"x": x}, {}).tolist() == [True, False]
    raises(TypeError, "x == 'ab'", x=x)
    raises(TypeError, "contains(x, 'a')", x=np.ones(2))


@row("`complex(a, b)`")
def complex_numbers(ne):
    a, b = np.array([1.0, 2.0]), np.array([3.0, -0.5])
    made = ne.evaluate("complex(a, b)", {"a": a, "b": b}, {})
    raises(arr.CheckError, "complex(a, b)", a=a, b=b)
    assert np.array_equal(arr.evaluate("a + b*1j", {"a": a, "b": b}), made)


@row("`and`, `or` of arrays are refused")
def words(ne):
    a, b = np.array([True, False]), np.array([True, True])
    raises(TypeError, "a and b", ne.evaluate, a=a, b=b)
    for word, sign in [("and", "&"), ("or", "|")]:
        assert np.array_equal(arr.evaluate(f"a {word} b", {"a": a, "b": b}), eval(f"a {sign} b"))


@row('`order="K"` keeps the order of the inputs')
def orders(ne):
    x = np.asfortranarray(np.ones((3, 4)))
    for order, fortran in [("K", True), ("C", False), ("F", True), ("A", True)]:
        for evaluate in (ne.evaluate, arr.evaluate):
            made = evaluate("x + 1", {"x": x}, {}, order=order)
            assert made.flags.f_contiguous is fortran and made.flags.c_contiguous is not fortran


@row("NumPy's `%` and C's `fmod` are both there")
def remainders(ne):
    a, b = np.array([-7.5, 7.5]), np.array([2.0, -2.0])
    for evaluate in (ne.evaluate, arr.evaluate):
        assert np.array_equal(evaluate("fmod(a, b)", {"a": a, "b": b}, {}), np.fmod(a, b))
    assert np.array_equal(arr.evaluate("a % b", {"a": a, "b": b}), a % b)


@row("`max(a, 1)` and `min(a, 1)` are along an axis")
def along(ne):
    a = np.arange(6.0).reshape(2, 3)
    assert ne.evaluate("max(a, 1)", {"a": a}, {}).tolist() == [2, 5] == arr.evaluate("max(a, axis=1)", {"a": a}).tolist()
    assert "maximum" in str(raises(arr.CheckError, "max(a, 1)", a=a))
    assert np.array_equal(arr.evaluate("maximum(a, 1)", {"a": a}), np.maximum(a, 1))


@row('`casting="same_kind"` unless it is given')
def castings(ne):
    a, out = np.ones(2), np.empty(2, "f4")
    if inspect.signature(ne.evaluate).parameters["casting"].default == "same_kind":
        ne.evaluate("a + 1", {"a": a}, {}, out=out)
    with pytest.raises(TypeError):
        arr.evaluate("a + 1", {"a": a}, {}, out=out)
    assert arr.evaluate("a + 1", {"a": a}, {}, out=out, casting="same_kind") is out


@row("a masked `out` keeps its mask")
def masks(ne):
    a, out = np.ones(2), np.ma.masked_array(np.zeros(2), [True, False])
    assert ne.evaluate("a + 1", {"a": a}, {}, out=out).mask.tolist() == [True, False]
    with pytest.raises(TypeError, match="out.data"):
        arr.evaluate("a + 1", {"a": a}, {}, out=out)
    assert arr.evaluate("a + 1", {"a": a}, {}, out=out.data) is not None and out.data.tolist() == [2, 2]


@row("`true` and `false` are names of variables")
def truths(ne):
    a = np.ones(2)
    assert ne.evaluate("true + 1", {"true": a}, {}).tolist() == [2, 2]
    raises(TypeError, "true + 1", true=a)


@row("nothing is said of promotions")
def promotions(ne):
    i, x = np.ones(2, "i8"), np.ones(2, "f4")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ne.evaluate("i * x", {"i": i, "x": x}, {})
    with pytest.warns(arr.PrecisionLoss):
        arr.evaluate("i * x", {"i": i, "x": x}, system="jax")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", arr.PrecisionLoss)
        arr.evaluate("i * x", {"i": i, "x": x}, system="jax")


@row("`re_evaluate` repeats without looking")
def repeated(ne):
    a = np.arange(3)
    ne.evaluate("a + 1", {"a": a}, {})
    assert np.array_equal(ne.re_evaluate({"a": a}), a + 1)
    assert np.array_equal(arr.compile("a + 1", a="i64[n]")(a), a + 1) and not hasattr(arr, "re_evaluate")


@row("`set_num_threads`")
def threads(ne):
    before = ne.set_num_threads(1)
    ne.set_num_threads(before)
    before = arr.set_threads(1)
    assert arr.set_threads(before) == 1


def rows():
    found = re.findall(r"^\| (.*?[^\\]) \| .* \|$", PAGE.read_text().split("## Its test suite")[0], re.MULTILINE)
    return [left for left in found if left not in ("numexpr", "---")]


@pytest.mark.parametrize("left", rows())
def test_the_row_says_what_is_so(left, request):
    test = TESTS[left]
    test(*(request.getfixturevalue(name) for name in inspect.signature(test).parameters))


def test_no_test_is_of_a_row_that_is_gone():
    assert set(TESTS) == set(rows())
