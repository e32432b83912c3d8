"""Advice is about calls of Python, and not about the command."""

import numpy as np
import pytest

import arrlang as arr


def refused(run) -> str:
    with pytest.raises(arr.CheckError) as caught:
        run()
    told = str(caught.value)
    for word in ["on the types", "command line", "--allow-read", "`arr ", "REPL"]:
        assert word not in told and not any(word in fix.text for fix in caught.value.fixes)
    return told


@pytest.mark.parametrize("text, meant", [
    ("save(x)", 'np.save("y.npy", y)'),
    ("open(3)", 'np.load("data.npy")'),
    ("read_csv(3)", "give the column as an array"),
    ('input("a")', "given to the call"),
    ("figure(1)", "draw it in Python"),
    ("tic()", "the module `timeit`"),
    ('load("/etc/passwd")', "read it in Python, and give the array"),
    ('load("../a.npy")', "read it in Python, and give the array"),
])
def test_files_are_read_and_written_by_python(text, meant):
    assert meant in refused(lambda: arr.evaluate(text, {"x": np.ones(3)}, {}))


def test_a_page_is_asked_for_in_python():
    (found,) = arr.check("counts * gain", counts="i32[n]", gain="f32[n]", system="jax")
    assert 'arr.explain("precision-loss")' in str(found) and any('arr.explain("precision-loss")' in note for note in found.notes)
    assert "`arr explain" not in str(found) + found.coloured


def test_another_dtype_is_given_where_the_type_stands():
    x = np.ones(3)
    told = refused(lambda: arr.compile("x * 2", x="f32[n]")(x))
    assert "give the type `f64…` for `x` and write `f32(x)` where it is used" in told
    told = refused(lambda: arr.compile("input x: f32[n]\nx * 2")(x))
    assert "declare `x: f64…` and write `f32(x)` where it is used" in told


def test_an_input_that_nobody_gives_is_named():
    with pytest.raises(TypeError, match=r"q: f32\[n\] is missing"):
        arr.evaluate("input q: f32[n]\nq + 1", {}, {})
    with pytest.raises(TypeError, match="`q` is None, and neither an array nor a number"):
        arr.evaluate("input q: f32[n]\nq + 1", {"q": None}, {})


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype, value", [("f16", 1e6), ("f16", 10**6), ("f32", 1e300), ("f32", 10**40), ("c64", 1e300), ("c64", 1e300j)])
def test_a_number_that_does_not_fit_a_scalar_is_an_error(dtype, value):
    k = arr.compile("s", s=dtype)
    with pytest.raises(OverflowError, match="s: .* does not fit"):
        k(value)
    assert np.isinf(k(np.inf)) and k(1.5) == 1.5
