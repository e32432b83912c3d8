"""``@function``: Python's source as a text of the language."""

import math
import pickle

import numpy as np
import pytest

import arrlang as arr

RATE = 0.25


@arr.function
def softplus(x: "f32[n]"):
    """The smooth maximum of 0."""
    return np.log1p(np.exp(-abs(x))) + np.maximum(x, 0)


@arr.function(system="jax")
def decay(x, t):
    k = RATE * 2
    k += 1
    y = x * np.exp(-k * t)
    return y, np.float32(1) + y.sum()


def test_an_expression_becomes_a_kernel():
    x = np.linspace(-3, 3, 11, dtype="f4")
    expected = softplus.__wrapped__(x)
    made = softplus(x)
    assert made.dtype == np.float32 and softplus.dtype == np.float32 and softplus.shape == ("n",)
    np.testing.assert_allclose(made, expected, rtol=1e-6)
    assert softplus.__doc__ == "The smooth maximum of 0." and softplus.__name__ == "softplus"
    out = np.empty(11, "f4")
    assert softplus(x, out=out) is out


def test_assignments_and_numbers_around_it():
    x, t = np.ones(3), np.arange(3.0)
    y, total = decay(x, t=t)
    np.testing.assert_allclose(y, np.exp(-1.5 * t))
    np.testing.assert_allclose(total, 1 + np.exp(-1.5 * t).sum())
    with pytest.raises(TypeError):
        decay(x)


def test_functions_pickle_as_what_they_became():
    again = pickle.loads(pickle.dumps(softplus))
    assert np.array_equal(again(np.ones(2, "f4")), softplus(np.ones(2, "f4"))) and again.text == softplus.text


def test_what_is_not_taken_says_so():
    with pytest.raises(TypeError, match="line 2.*no for"):

        def loop(x):
            for i in x:
                pass
            return x

        arr.function(loop)
    with pytest.raises(TypeError, match="np.where"):

        def branch(x):
            return x if x > 0 else -x

        arr.function(branch)
    with pytest.raises(arr.CheckError):

        def unknown(x: "f32[n]"):
            return np.no_such_function(x)

        arr.function(unknown)


def test_check_finds_what_a_function_loses():
    found = decay.check(x="i64[n]", t="f32[n]")
    assert any(one.name == "precision-loss" for one in found)
    assert math.isclose(RATE, 0.25)
