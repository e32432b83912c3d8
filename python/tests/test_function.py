"""``@function``: Python's source as a text of the language."""

import inspect
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


pi, mean, std, e, inf = 3, 5, 2, 7.0, 1
NARROW, WHOLE, WIDE, TRUTH = np.float32(2.1), np.int64(3), np.float64(2), np.bool_(True)


@arr.function
def centred(a):
    return np.pi * a + math.e + pi, np.mean(a) + mean, np.std(a) * std + e, np.inf + inf + np.euler_gamma


@arr.function
def words(a: "f64[n]"):
    var = a - np.mean(a)
    let = 2
    fn = let + 1
    return var * fn


@arr.function
def scaled(var, let, input):
    return var + let * input


@arr.function
def typed(var: "f64[n]", sum: "f64", n: "f64"):
    true = np.sum(var) * sum
    let = true + n
    true += let
    return true, let


def test_a_name_behind_a_module_is_the_module_s_and_any_other_python_s():
    a = np.array([1.0, 2.0, 4.0])
    for made, expected in zip(centred(a), centred.__wrapped__(a)):
        np.testing.assert_allclose(made, expected, rtol=1e-15)

    @arr.function
    def local(a):
        mean = np.mean(a)
        std = np.std(a)
        exp = a.sum()
        return (a - mean) / std + np.exp(-exp)

    np.testing.assert_allclose(local(a), local.__wrapped__(a))

    @arr.function
    def unknown(a):
        foo = a + 1
        return np.foo + foo

    with pytest.raises(arr.CheckError, match="foo"):
        unknown(a)


def test_words_of_the_language_are_names_in_python():
    x = np.arange(3.0)
    assert np.array_equal(words(x), words.__wrapped__(x))
    assert np.array_equal(scaled(1.0, let=x, input=2), 1 + 2 * x) and np.array_equal(scaled(x, 3, 2), x + 6)
    made = typed(x, sum=2, n=0.5)
    assert made == typed.__wrapped__(x, 2, 0.5) and made == typed(x, 2, 0.5) and typed.names == ["var", "sum", "n"]
    assert scaled.check(var="f32[n]", let="f32", input="f64").results == [(None, "f64[n]")]


def test_numbers_around_it_are_weak_or_have_the_dtype_of_numpy():
    def constants(a):
        return a * NARROW, a * WHOLE, a * WIDE, a * RATE, (a > 0) & TRUTH

    x = np.ones(2, "f4")
    for made, expected in zip(arr.function(constants)(x), constants(x)):
        assert made.dtype == expected.dtype and np.array_equal(made, expected)


def test_annotations_that_are_there_are_kept():
    @arr.function
    def part(a: "f64[n]", s):
        return a * s

    assert part(np.ones(2), 2.5).tolist() == [2.5, 2.5] and part(s=2, a=np.ones(1)).tolist() == [2] and part.kernel is None
    for wrong in [np.ones((2, 2)), np.ones(2, "f4")]:
        with pytest.raises(arr.CheckError):
            part(wrong, 2.5)


def test_annotations_of_python_are_dtypes_and_others_say_what_to_write():
    def numbers(a: float, b: int, c: bool, d: complex, e: np.float32):
        return a + b + c + d + e

    def arrays(a: np.ndarray):
        return a

    def of_any_shape(a: "np.typing.NDArray[np.float64]"):
        return a

    def listed(a: list):
        return a

    def shaped(a: np.typing.NDArray[np.float64]):
        return a

    assert list(arr.function(numbers).types.values()) == ["f64", "i64", "bool", "c128", "f32"]
    assert arr.function(arrays).kernel is None and arr.function(arrays)(np.ones(2)).tolist() == [1, 1]
    for wrong, what in [(listed, "list is no type"), (shaped, r'NDArray.*"f64\[n\]"')]:
        with pytest.raises(TypeError, match=what):
            arr.function(wrong)
    with pytest.raises(arr.CheckError):
        arr.function(of_any_shape)


def test_what_comes_out_is_what_python_says():
    def nothing(a):
        b = a

    def empty(a):
        return

    def one(a):
        return (a,)

    for wrong in [nothing, empty]:
        with pytest.raises(TypeError, match="return"):
            arr.function(wrong)
    x = np.ones(2)
    made = arr.function(one)(x)
    assert type(made) is tuple and len(made) == 1 and np.array_equal(made[0], x)


def test_strings_are_written_as_the_language_has_them():
    @arr.function
    def dot(a):
        return np.einsum('i,i->', a, a), a.astype('float32'), np.sum(a.astype("float32"), dtype=np.float64)

    product, narrow, total = dot(np.ones(3))
    assert product == 3 and narrow.dtype == np.float32 and total.dtype == np.float64


def test_only_functions_are_taken():
    async def waiting(a):
        return a

    for wrong, what in [(3, "not of type int"), (np.sin, "not of type ufunc"), (waiting, "without async"), (lambda x: x, "lambda")]:
        with pytest.raises(TypeError, match=what):
            arr.function(wrong)
    with pytest.raises(TypeError, match="function has no option"):
        arr.function(sytem="jax")


def test_a_pickled_function_is_the_function():
    for one in [softplus, decay, typed, scaled]:
        again = pickle.loads(pickle.dumps(one))
        assert again == one and hash(again) == hash(one) and again is not one
        assert (again.__module__, again.__qualname__) == (one.__module__, one.__qualname__)
        assert inspect.signature(again) == inspect.signature(one)
    assert softplus != decay and len({softplus, decay, pickle.loads(pickle.dumps(decay))}) == 2
    assert str(inspect.signature(typed)) == "(var: 'f64[n]', sum: 'f64', n: 'f64', *, out=None, threads=None, copy=None)"


def test_calls_take_the_options_of_a_kernel():
    x = np.ones(3)
    for one in [scaled, typed]:
        first = one(x, 1.0, 2.0)
        again = one(x, 1.0, 2.0, threads=1, copy=False)
        assert np.array_equal(first, again)
    with pytest.raises(ValueError):
        scaled([1, 2], 1, 2, copy=False)


def test_a_function_of_math_on_numbers_is_the_number_of_python():
    @arr.function
    def scaled(x: "f32[n]"):
        k = RATE * 2
        k += 1
        return math.sqrt(2) * x, x * math.exp(-k) + math.hypot(3, mean), x - math.log(0.5), math.prod([2, 3]), math.sqrt(NARROW) * x

    x = np.arange(3, dtype="f4")
    for made, expected in zip(scaled(x), scaled.__wrapped__(x)):
        assert np.asarray(made).dtype == np.asarray(expected).dtype and np.array_equal(made, expected)
    made = arr.function(root)
    assert made(np.ones(2)).dtype == np.float64 and made.text == "sqrt(x) * 2.0"

    def wrong(x):
        return x * math.sqrt(-1)

    with pytest.raises(TypeError, match=r"line 2: math.sqrt\(-1\): "):
        arr.function(wrong)


def root(x):
    return math.sqrt(x) * math.sqrt(4)


def test_an_update_is_python_s_or_refused():
    x, y = np.arange(3, dtype="f4"), np.ones(3)

    @arr.function
    def updated(x, y):
        t = x * 1
        t += y
        t *= 2
        return t

    for given in [(x, x), (x, 2), (x, np.float32(3)), (np.float32(2), np.float64(0.1)), (2, x)]:
        made, expected = updated(*given), updated.__wrapped__(*given)
        assert made.dtype == expected.dtype and np.array_equal(made, expected)
    for given in [(x, y), (x, np.ones((2, 1), "f4")), (np.arange(3), 2.5)]:
        with pytest.raises(arr.CheckError, match="t \\+= y keeps the dtype and the shape of t"):
            updated(*given)

    @arr.function
    def shared(x):
        t = x * 1
        u = t
        t += 10
        return u

    assert shared(3) == 3
    with pytest.raises(arr.CheckError, match="may have another name: write t = t \\+ 10"):
        shared(x)

    def of_the_caller(x: "f32[n]"):
        x += 1
        return x

    with pytest.raises(TypeError, match="line 2: x \\+= 1 would change"):
        arr.function(of_the_caller)

    @arr.function
    def of_a_number(x: "f32[n]", k: "f32"):
        k += 1
        return x * k

    assert of_a_number(x, 2).tolist() == [0, 3, 6]


def test_several_names_are_assigned_at_once():
    @arr.function
    def turned(x):
        a, b = x, x + 1
        a, b = b, a
        c = d = b
        e: float
        return a, b, c + d

    x = np.arange(3.0)
    for made, expected in zip(turned(x), turned.__wrapped__(x)):
        assert np.array_equal(made, expected)

    def element(x):
        x[0] = 1
        return x

    def starred(x):
        a, *b = x, x
        return a

    def early(x):
        return x
        return x + 1

    for wrong, what in [(element, r"x\[0\] is no name"), (starred, "is no name"), (early, "the return is the last statement")]:
        with pytest.raises(TypeError, match=f"line 2: .*{what}"):
            arr.function(wrong)


def sqrt(x):
    return x * 100


def test_a_function_of_python_is_not_that_of_the_language():
    from numpy import float32 as single
    from numpy import log2 as log
    from numpy import tanh

    def exp(x):
        return x * 100

    @arr.function
    def of_numpy(x):
        log2, f32 = x + 1, x + 2
        return log(x) + log2, tanh(x), single(x) + single(f32)

    x = np.arange(1.0, 7).reshape(2, 3)
    for made, expected in zip(of_numpy(x), of_numpy.__wrapped__(x)):
        np.testing.assert_allclose(made, expected)
        assert made.dtype == expected.dtype

    def of_the_module(x):
        return sqrt(x)

    def around(x):
        return exp(x)

    def of_another(x):
        return softplus(x)

    for function, name in [(of_the_module, "sqrt"), (around, "exp"), (of_another, "softplus")]:
        with pytest.raises(TypeError, match=f"line 2: {name} is a function of Python"):
            arr.function(function)

    table = np.ones(3)

    def with_a_table(x):
        return x * table

    with pytest.raises(TypeError, match="line 2: table is no number.*make it a parameter"):
        arr.function(with_a_table)


def test_dtypes_are_those_of_python():
    wide = np.float64

    @arr.function
    def made(x):
        i64 = x + 1
        a = (x + i64).astype(float), x.astype("i8"), x.astype(wide), np.zeros(3, dtype=int), np.zeros(3, dtype="f4"), x.astype("float32")
        return a[0], a[1], a[2], a[3], a[4], a[5], x.sum(dtype=complex), np.ones_like(x, dtype="u8")

    x = np.arange(3, dtype="i2")
    for one, expected in zip(made(x), made.__wrapped__(x)):
        assert one.dtype == expected.dtype and np.array_equal(one, expected)


def test_sum_of_python_goes_along_the_first_axis():
    @arr.function
    def sums(x):
        return sum(x), sum(x, 1), sum([x, x * 2]), sum(x, start=2.5), math.prod(x), math.prod(x, start=2), np.sum(x), x.sum()

    for x in [np.arange(1.0, 7).reshape(2, 3), np.arange(1, 4)]:
        for made, expected in zip(sums(x), sums.__wrapped__(x)):
            assert np.array_equal(made, expected)


def test_the_results_of_a_call_get_names():
    @arr.function
    def parts(x):
        x = x + 0
        q, r = np.linalg.qr(x)
        [whole, _] = np.divmod(x, 2)
        (rows, columns) = np.nonzero(x)
        q, r = r, q
        return q, r, whole, rows + columns

    @arr.function
    def places(x):
        (at,) = np.nonzero(x)
        at, x = at + 1, x * 2
        return at

    x = np.array([[1.0, 2], [3, 4]])
    q, r, whole, places_of_both = parts(x)
    np.testing.assert_allclose(r @ q, x)
    assert whole.tolist() == [[0, 1], [1, 2]] and places_of_both.tolist() == [0, 1, 1, 2]
    assert places(np.array([3, 0, 5])).tolist() == [1, 3]

    @arr.function
    def many(x):
        a, b, c = np.divmod(x, 2)
        return a

    with pytest.raises(arr.CheckError, match="3 names for 2 values"):
        many(x)

    def nested(x):
        (a, b), c = np.divmod(x, 2), x
        return a

    with pytest.raises(TypeError, match="line 2: .*is no name"):
        arr.function(nested)


def test_the_message_of_an_assertion_is_shown():
    @arr.function
    def positive(x):
        assert np.min(x) > 0, "too few"
        return x

    assert positive(np.ones(2)).tolist() == [1, 1]
    with pytest.raises(arr.RunError, match="too few"):
        positive(np.zeros(2))


def test_a_parameter_is_no_dimension():
    @arr.function
    def scaled(a: "f64[n]", n):
        return a * n

    assert scaled(np.ones(2), 2.5).tolist() == [2.5, 2.5] and scaled(np.ones(2), n=3).tolist() == [3, 3]
    assert scaled.names == ["a", "n"]


def test_a_list_is_no_tuple_of_results():
    def listed(x: "f32[n]", k: "i8[n]"):
        return [x, k]

    with pytest.raises(TypeError, match=r"line 2: .*return \(x, k\) for several results"):
        arr.function(listed)
