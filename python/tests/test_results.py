"""Results: memory of their own, orders, and memory of the caller."""

import copy
import multiprocessing
import pickle

import numpy as np
import pytest

import arrlang as arr

OWN = ["zeros((2, 3))", "broadcast_to(x, (4, 3))", "(x + 1)[::-1]", "(x + 1)[::2]", "ones((3, 2)).T", "x", "x[1:]", "reshape(x + 1, (3, 1))", "sort(x)",
       "(zeros(100000) + x[0])[:3]"]


@pytest.mark.parametrize("text", OWN)
def test_a_result_is_an_array_of_its_own(text):
    x = np.arange(3.0)
    made = arr.evaluate(text)
    assert made.flags.writeable and (made.flags.c_contiguous or made.flags.f_contiguous)
    assert not np.shares_memory(made, x)
    kept = made.copy()
    made.flat[0] = 7
    kept.flat[0] = 7
    assert np.array_equal(made, kept) and np.array_equal(x, np.arange(3.0))


def test_several_results_share_nothing():
    x = np.arange(4.0)
    for text in ["(x + 1, x + 1)", "(x, x)", "let y = x + 1\ny\ny[1:]\ny.T"]:
        parts = arr.evaluate(text)
        assert all(one.flags.writeable and not np.shares_memory(one, x) for one in parts)
        assert not any(np.shares_memory(one, other) for at, one in enumerate(parts) for other in parts[:at])


def test_ordinary_results_are_not_copied():
    x, k = np.arange(3.0), arr.compile("x + 1", x="f64[n]")
    for made in [arr.evaluate("x + 1"), k(x), *arr.evaluate("(x + 1, x * 2)"), arr.evaluate("outer(x, x) + 1")]:
        assert type(made.base).__name__ == "Owner"
    assert arr.evaluate("zeros((2, 3))").base is None, "a copy is NumPy's"


def test_orders_are_those_of_each_of_several_results():
    m, x = np.ones((2, 3)), np.ones(3)
    for order, fortran in [("F", True), ("C", False), ("K", False)]:
        first, second, flat, total = arr.evaluate("(m + 1, m * x, x + 1, sum(m))", order=order)
        assert first.flags.f_contiguous is fortran and second.flags.f_contiguous is fortran
        assert np.array_equal(first, m + 1) and np.array_equal(second, m * x) and np.array_equal(flat, x + 1) and total == 6
    m = np.asfortranarray(m)
    assert all(one.flags.f_contiguous for one in arr.evaluate("(m + 1, m * x)"))


def test_out_is_as_functions_of_numpy_have_it():
    u = np.arange(3.0)
    for dtype, casting in [("f8", "safe"), ("f4", "same_kind"), ("i4", "unsafe"), ("c16", "safe"), ("f8", "no")]:
        for shape in [(3,), (2, 3)]:
            out = np.empty(shape, dtype)
            assert arr.evaluate("u + 1", out=out, casting=casting) is out
            assert np.array_equal(out, np.broadcast_to(u + 1, shape).astype(dtype))
    with pytest.raises(TypeError, match="rule 'no'"):
        arr.evaluate("u + 1", out=np.empty(3, "f4"), casting="no")
    for out in [None, np.empty(3)]:
        with pytest.raises(ValueError, match="casting is one of"):
            arr.evaluate("u + 1", out=out, casting="bogus")


def test_out_that_does_not_fit_says_what_it_has():
    u = np.arange(3.0)
    with pytest.raises(ValueError, match=r"shape \(4,\), and the result \(3,\)"):
        arr.evaluate("u + 1", out=np.empty(4))
    k = arr.compile("outer(x, x)", x="f64[n]")
    with pytest.raises(ValueError, match=r"shape \(3,\), and the result \(n, n\)"):
        k(u, out=np.empty(3))
    masked = np.ma.masked_array(np.empty(3), [True, False, False])
    for run in [lambda: arr.evaluate("u + 1", {"u": u}, {}, out=masked), lambda: arr.compile("x", x="f64[n]")(u, out=masked)]:
        with pytest.raises(TypeError, match="masked"):
            run()
    out = np.empty(3).view(type("Own", (np.ndarray,), {}))
    assert arr.evaluate("u + 1", out=out) is out and out.tolist() == [1, 2, 3]


def test_the_rule_no_casts_no_order_of_bytes():
    u, swapped = np.arange(3.0), np.empty(3, np.dtype("f8").newbyteorder())
    with pytest.raises(TypeError, match="rule 'no'"):
        arr.evaluate("u * 2", out=swapped, casting="no")
    assert arr.evaluate("u * 2", out=swapped, casting="equiv") is swapped and swapped.tolist() == [0, 2, 4]


def test_a_name_that_a_tuple_cannot_have_is_its_place():
    k = arr.compile("output class = x\noutput _u = x * 2\noutput low = min(x)", x="f64[n]")
    assert k(np.ones(1))._fields == ("_0", "_1", "low") and k.outputs == ["class", "_u", "low"]


def test_results_with_names_pickle():
    k = arr.compile("output low = min(x)\nx * 2\noutput high = max(x)", x="f64[n]")
    made = k(np.arange(3.0))
    for again in [pickle.loads(pickle.dumps(made)), copy.deepcopy(made), pickle.loads(pickle.dumps(made, 0))]:
        assert type(again) is type(made) and isinstance(again, tuple) and again._fields == made._fields
        assert again.low == 0 and again.high == 2 and all(map(np.array_equal, again, made))
    assert repr(made).startswith("Results(low=")
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert [one.high for one in pool.map(k, [np.ones(2), np.arange(3.0)])] == [1, 2]
