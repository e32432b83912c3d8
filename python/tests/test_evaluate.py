"""``evaluate``: names, scalars, dtypes, out, casting, order."""

import warnings
import weakref

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


def orders(a):
    """The axes of an array by their steps, the largest first; those of one element do not count."""
    axes = [axis for axis in range(a.ndim) if a.shape[axis] != 1]
    return sorted(axes, key=lambda axis: -abs(a.strides[axis]))


def layouts(rng, shape):
    """An array of a shape, its axes in any order, some reversed or with gaps, some of one element."""
    sizes = [size if rng.random() < 0.8 else 1 for size in shape][rng.integers(0, 2):]
    wide = [size * int(rng.integers(1, 3)) for size in sizes]
    turn = rng.permutation(len(sizes))
    a = rng.random([wide[axis] for axis in turn]).transpose(np.argsort(turn))
    steps = [slice(None, None, wide[axis] // sizes[axis] * rng.choice([1, -1])) for axis in range(len(sizes))]
    return a[tuple(steps)]


@pytest.mark.parametrize("order", "CFAK")
def test_order_is_numpy_s(order, rng):
    for _ in range(300):
        shape = tuple(int(size) for size in rng.integers(2, 5, rng.integers(1, 5)))
        a, b = layouts(rng, shape), layouts(rng, shape)
        expected = np.add(a, b, order=order)
        made = arr.evaluate("a + b", order=order)
        assert np.array_equal(made, expected)
        assert orders(made) == orders(expected), (a.shape, a.strides, b.shape, b.strides)
        assert made.nbytes == made.size * 8 and (made.flags.c_contiguous or made.flags.forc or order == "K")


def test_order_of_one_array_and_of_what_is_no_map():
    a = np.asfortranarray(np.arange(12.0).reshape(3, 4))
    assert arr.evaluate("a + 1").flags.f_contiguous and arr.evaluate("a + 1", order="C").flags.c_contiguous
    assert arr.evaluate("a + 1", order="A").flags.f_contiguous
    assert np.array_equal(arr.evaluate("a.T + 1"), a.T + 1)
    assert np.array_equal(arr.evaluate("a[a > 3]"), a[a > 3]) and np.array_equal(arr.evaluate("sum(a, axis=0)"), a.sum(0))
    out = np.empty((3, 4))
    assert arr.evaluate("a + 1", out=out, order="F") is out and out.flags.c_contiguous
    for wrong in ["Z", None, 3]:
        with pytest.raises(ValueError, match="order"):
            arr.evaluate("a + 1", order=wrong)


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
    assert str(caught[0].message).startswith("Warning[E0301 precision-loss]: ")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="Warning.E0301")
        arr.evaluate("i * x", system="jax", i=np.ones(2, "i4"), x=np.ones(2, "f4"))
    with warnings.catch_warnings():
        warnings.simplefilter("error", arr.PrecisionLoss)
        with pytest.raises(arr.PrecisionLoss):
            arr.evaluate("a * b", system="jax")
    with pytest.raises(arr.CheckError):
        arr.evaluate("a * b", system="jax", mode="safe")


def test_every_finding_has_a_class():
    for code, name, summary in arr.codes():
        kind = arr.warning_class(name)
        assert arr.warning_class(kind.__name__) is kind and kind.__doc__ == f"{code} {name}: {summary}"
    for wrong in ["no-such-finding", "precisionloss", "precision_loss", "E0301", ""]:
        with pytest.raises(AttributeError):
            arr.warning_class(wrong)


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


@pytest.mark.parametrize("n", [1, 7, 64, 1000])
def test_transforms_are_those_of_numpy(n):
    x = np.sin(np.arange(float(n)))
    assert np.allclose(arr.evaluate("fft.rfft(x)"), np.fft.rfft(x), rtol=0, atol=1e-12 * n)
    assert arr.evaluate("fft.ifft(fft.fft(x))").dtype == np.complex128


def test_names_of_a_frame_do_not_keep_their_arrays():
    x = np.ones(10)
    gone = weakref.ref(x)
    assert arr.evaluate("x + 1")[0] == 2
    del x
    assert gone() is None
    x, gone = np.ones(10), None
    mine = locals()
    assert arr.evaluate("x + 2")[0] == 3
    assert mine["x"] is x, "what somebody else looks at stays"

    class Body:
        y = np.ones(3)
        z = arr.evaluate("y * 2")

    assert Body.z[0] == 2 and Body.y[0] == 1


def test_what_is_wrong_with_a_type_is_said_once():
    for text in ["x + 1", "x + x"]:
        found = arr.check(text, x="float33[n]")
        assert [one.name for one in found] == ["unknown-dtype"], text


def test_names_that_a_text_binds_are_its_own():
    a = np.arange(3)
    mine = dict.fromkeys("snxirt", "a title") | {"a": a}
    for text, expected in [
        ("let s = a + 1\ns * 2", [2, 4, 6]),
        ("fn s(x) = x * 2\ns(a)", [0, 2, 4]),
        ("s(a)\nfn s(x) = x * 2", [0, 2, 4]),
        ("var s = a\ns += 1\ns", [1, 2, 3]),
        ("output s = a", [0, 1, 2]),
        ("let (s, t) = (a, 2)\ns * t", [0, 2, 4]),
        ("repeat 3 as i with s = a { s + i }", [3, 4, 5]),
        ("scan r = a with s = 0 { let t = s + r\n(t, t) }", [0, 1, 3]),
        ("input a: i64[n]\nsum(a) / n + a", [1, 2, 3]),
        ("let t: i64[n] = a\nt + n", [3, 4, 5]),
        ("fn s(x: i64[n]) = x * n\ns(a)", [0, 3, 6]),
        ("input a: i64[n]\ninput s: i64 = 2\na", [0, 1, 2]),
    ][:-1]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = arr.evaluate(text, mine, {})
        assert np.array_equal(made[-1] if isinstance(made, tuple) else made, expected), text
    n = 100
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert arr.evaluate("input a: i64[n]\nsum(a) / n") == 1 and arr.evaluate("sum(a) / n") == 0.03
        assert arr.evaluate("fn mean_of(x: i64[n]) = sum(x) / n\nmean_of(a) + n") == 101
        assert arr.evaluate("let t = n\nlet n = 2\nt + n") == 102
    assert arr._arrlang.names_of("let t = s\nlet s = a\nt + s + f(q) + x.g(r)") == ["s", "a", "q", "x", "r"]


def test_threads_are_one_or_more():
    a, k = np.arange(3), arr.compile("a * 2", a="i64[n]")
    for run in [
        lambda: k(a, threads=-1), lambda: arr.set_threads(-1), lambda: arr.evaluate("a + 1", {"a": a}, {}, threads=-1),
        lambda: arr.compile("a * 2", a="i64[n]", threads=-1),
    ]:
        with pytest.raises(ValueError, match="threads are 1 or more"):
            run()
    with pytest.raises(TypeError):
        arr.set_threads(None)
    assert k(a, threads=0).tolist() == k(a, threads=None).tolist() == [0, 2, 4]


def test_nothing_is_no_expression():
    for text in ["", " \n"]:
        with pytest.raises(ValueError, match="there is no expression"):
            arr.evaluate(text)


@pytest.mark.parametrize("kind", ["M8[D]", "m8[ns]"])
def test_dates_are_taken_as_their_integers(kind):
    q = np.arange(3).astype(kind)
    for asked in [lambda: arr.evaluate("q", q=q), lambda: arr.check("q", q=q), lambda: arr.compile("q", q="i64[n]")(q)]:
        with pytest.raises(TypeError, match=r"x\.view\('i8'\)"):
            asked()
    assert arr.evaluate("q", {"q": q.view("i8")}).tolist() == [0, 1, 2]
