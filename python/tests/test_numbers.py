"""Numbers of Python: what they are in a text, and that a text is not compiled for each of them."""

import enum
import itertools
import math
import struct
import time
import warnings

import numpy as np
import pytest

import arrlang as arr

TEXTS = [
    "x*s + 1", "s", "-s*x", "exp(-s*x)", "x/s", "s/x", "x**s", "s**x", "x + s*2", "2*s*x", "x*(s + 1)", "where(x > s, x, s)", "x > s",
    "x == s", "x % s", "x // s", "maximum(x, s)", "clip(x, -s, s)", "sum(x*s)", "mean(x) - s", "(x - s)**2", "x[1:]*s", "sqrt(x*x + s)",
    "x*s < 300", "let k = s\nk*x\nk + 1", "s*x + t", "s*t*x", "cumsum(x + s)", "x*x*s > -1", "minimum(x + s, 3)", "abs(s)*x", "x & s",
    "(x & s)*1000000", "x % s*1000000", "x // s + 1", "minimum(x, s)*3", "s // x", "s % x", "x >= s", "clip(x, 2, s)", "i32(x)*s", "sum(x > s)*s",
    "where(x > 1, s, 2)*1000000", "sum(x % s)", "sum(x*s)*s", "fn f(a) = a*s\nf(x) + f(2)", "1/s*x", "1/(s - 2.5)*x", "f16(3 - s)", "f16(s)*x", "f32(-s) + x",
]
FLOATS = [1.7, 2.5, 3.25, -4.1, 0.1, 0.5, 1.0, 2.0, -1.0, 0.0, -0.0, 1e-5, 65505.0, 1e30, 1e39, 1e-41, 1e300, 5e-324, math.inf, -math.inf, math.nan]
INTS = [3, 5, 7, -2, 0, 1, 2, 100, 127, 128, 255, -128, 4097, 2**24 + 1, 2**31, 2**53 + 1, -(2**63), 2**64, 10**30, True]
DTYPES = ["f8", "f4", "f2", "i8", "i4", "u1", "?"]


def outcome(run):
    """Bytes, dtype and warnings of a call, or its error."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        try:
            made = run()
        except (arr.CheckError, arr.RunError) as error:
            return error.code, error.message
    parts = made if isinstance(made, tuple) else (made,)
    values = [(str(np.asarray(one).dtype), np.shape(one), np.asarray(one).tobytes()) for one in parts]
    return values, [(type(one.message).__name__, one.message.diagnostic.message) for one in found]


OPTIONS = [{"system": "jax"}, {"checked": True}, {"mode": "safe"}]
CASES = [(dtype, {}) for dtype in DTYPES] + [(dtype, options) for dtype in ["f4", "i4"] for options in OPTIONS]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("dtype, options", CASES, ids=str)
def test_a_number_is_what_its_literal_is_however_many_came_before(text, dtype, options):
    x, t = np.array([0, 1, 3, 2, 90]).astype(dtype), 1.25
    for number in itertools.chain(FLOATS, INTS):
        literal = text.replace("s*t", f"s*{t}").replace("+ t", f"+ {t}")
        kinds = {"x": x, "s": number}

        def fresh():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                k = arr.compile(literal, kinds, **options)
            for one in arr.check(literal, kinds, **options):
                if "unused" not in one.name:
                    warnings.warn(arr.warning_class(one.name)(one))
            return k(x) if k.names else k()

        expected, made = outcome(fresh), outcome(lambda: arr.evaluate(text, {"x": x, "s": number, "t": t}, {}, **options))
        assert made == expected, number


def test_a_text_is_not_compiled_for_each_number():
    x = np.arange(10, dtype="f4")

    def microseconds(text, kind):
        numbers = [kind(number) for number in np.random.default_rng(1).integers(3, 10**6, 400)]
        arr.evaluate(text, {"x": x, "s": numbers[0]}, {}), arr.evaluate(text, {"x": x, "s": numbers[1]}, {})
        begun = time.perf_counter()
        for number in numbers[2:]:
            arr.evaluate(text, {"x": x, "s": number}, {})
        return (time.perf_counter() - begun) / 398 * 1e6

    assert microseconds("x*s + 1", float) < 60
    assert microseconds("exp(-s*x)", float) < 60
    assert microseconds("x - s", int) < 60
    assert microseconds("x // s", float) < 60 and microseconds("x % s", int) < 60
    x = np.arange(10)
    for text in ["x // s", "x % s", "x > s", "maximum(x, s)"]:
        assert microseconds(text, int) < 60, text


def test_random_numbers_are_what_their_literals_are():
    rng = np.random.default_rng(5)
    x = {"i": rng.integers(-100, 100, 30), "u": rng.integers(0, 255, 30).astype("u1"), "f": rng.normal(0, 50, 30).astype("f4")}
    for text in ["v // s", "v % s", "v > s", "s <= v", "minimum(v, s)", "clip(v, -9, s)", "v // s*s + v % s", "where(v > s, v % s, v)"]:
        for array in x.values():
            for number in [*rng.integers(-120, 120, 40).tolist(), *np.round(rng.normal(0, 60, 40), 2).tolist()]:
                expected = outcome(lambda: arr.evaluate(text.replace("s", f"({number})"), {"v": array}, {}))
                made = outcome(lambda: arr.evaluate(text, {"v": array, "s": number}, {}))
                assert made[0] == expected[0], (text, number)


def test_functions_without_types_are_not_compiled_for_each_number():
    @arr.function
    def scaled(x, gain):
        return x * gain + 1

    x = np.arange(4.0)
    begun = time.perf_counter()
    for gain in np.linspace(1.1, 9, 300).tolist():
        assert np.array_equal(scaled(x, gain), x * gain + 1)
    assert time.perf_counter() - begun < 300 * 60e-6


PARTS = [0.0, -0.0, 1.5, -2.25, math.inf, -math.inf, math.nan, 5e-324, 1e308]


def same(left, right):
    """Whether two floats are the same number, signs of zeros included."""
    return math.isnan(left) and math.isnan(right) or struct.pack("d", left) == struct.pack("d", right)


@pytest.mark.parametrize("re", PARTS)
@pytest.mark.parametrize("im", PARTS)
def test_complex_numbers_keep_both_parts(re, im):
    z = complex(re, im)

    @arr.function
    def constant(x):
        return z

    made = [arr.evaluate("z"), arr.compile("z", z=z)(), constant(np.ones(1))]
    for one in made:
        assert one.dtype == np.complex128 and same(one.real, re) and same(one.imag, im), one
    narrow = arr.compile("[z, z]", z=z, width=32) if abs(re) < 1e30 and abs(im) < 1e30 and 5e-324 not in (abs(re), abs(im)) else None
    if narrow is not None:
        assert all(same(float(one.real), re) and same(float(one.imag), im) for one in narrow())


def test_floats_that_are_not_finite_are_themselves_beside_names_like_theirs():
    inf = nan = np.array([1.0])
    s, t = math.inf, math.nan
    assert arr.evaluate("inf*s")[0] == math.inf and math.isnan(arr.evaluate("nan*t")[0]) and arr.evaluate("inf*(-s)")[0] == -math.inf


def test_numbers_of_derived_types_are_the_numbers():
    class Level(enum.IntEnum):
        HIGH = 3

    class Ratio(float):
        pass

    x = np.ones(2, "i2")
    assert arr.compile("x*k", x="i16[n]", k=Level.HIGH)(x).tolist() == [3, 3]
    made = arr.evaluate("x*k", {"x": x, "k": Level.HIGH}, {})
    assert made.dtype == np.int16 and made.tolist() == [3, 3]
    x = np.ones(2, "f4")
    assert arr.evaluate("x*k", {"x": x, "k": Ratio(0.5)}, {}).dtype == np.float32
    assert arr.compile("x*k", x="f32[n]", k=np.float64(0.5)).names == ["x", "k"]


def test_a_truth_value_is_no_name():
    true = np.ones(2)
    with pytest.raises(TypeError, match="`true` is a truth value"):
        arr.evaluate("true + 1")
    x = np.array([True, False])
    del true
    assert arr.evaluate("x == true").tolist() == [True, False]
