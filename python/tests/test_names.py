"""Names and options: what a keyword, a dictionary, a table or a frame says."""

import inspect
import subprocess
import sys

import numpy as np
import pytest

import arrlang as arr

OUTSIDE = np.ones(3)


@pytest.mark.parametrize("run, meant", [
    (lambda u: arr.evaluate("u + u", chekced=True), "checked"),
    (lambda u: arr.evaluate("u + u", u=u, ordr="C"), "order"),
    (lambda u: arr.compile("x*y", x="i32", y="f32", sytem="jax"), "system"),
    (lambda u: arr.check("x*y", x="i32", y="f32", mod="safe"), "mode"),
    (lambda u: arr.compare("x*gain", x="i32", gian="f32"), "gain"),
    (lambda u: arr.explain("x*gain", x="i32", gain="f32", sistem="jax"), "system"),
    (lambda u: arr.function(mod="safe"), "mode"),
])
def test_a_keyword_that_is_nothing_is_an_error(run, meant):
    with pytest.raises(TypeError, match=f"has no option.*did you mean '{meant}'"):
        run(np.ones(2))


def test_names_of_the_text_are_keywords_and_a_dictionary_may_have_more():
    u = np.ones(2)
    assert arr.evaluate("u*k", k=3).tolist() == [3, 3] and arr.evaluate("sum(u)", sum=3) == 2
    assert arr.compile("x + 1", {"x": "f64[n]", "y": "f32"}).names == ["x", "y"]


@pytest.mark.parametrize("text", [
    "let x = 5\nx + u", "var x = u\nx += 1\nx", "let (x, y) = (u, 2)\nx * y", "fn x(a) = a * 2\nx(u)", "output x = u + 1",
])
def test_a_keyword_for_a_name_that_the_text_defines_is_an_error(text):
    u = np.ones(2)
    with pytest.raises(TypeError, match="the text defines `x` itself"):
        arr.evaluate(text, x=3)
    assert np.array_equal(arr.evaluate(text, {"x": 3, "u": u}, {}), arr.evaluate(text, {"u": u}, {}))
    # What is read before it is defined is the caller's.
    assert arr.evaluate("let x = x + 1\nx", x=1) == 2
    # A keyword of an input with a default is its value.
    assert arr.evaluate("input x: i64 = 1\nx + 1", x=2) == 3


def test_a_name_that_is_called_is_a_function():
    assert arr.evaluate("sum(x)", {"x": np.ones(3), "sum": 0}, {}) == 3
    with pytest.raises(arr.CheckError, match="max"):
        arr.evaluate("max(x) + max", {"x": np.ones(3), "max": 2}, {})


def test_dictionaries_stand_for_one_part_of_the_frame_each():
    inside = np.full(3, 2.0)
    assert arr.evaluate("z + OUTSIDE", {"z": inside}).tolist() == [3, 3, 3]
    assert arr.evaluate("z + inside", global_dict={"z": inside}).tolist() == [4, 4, 4]
    for given in [({"z": inside}, {}), ({}, {"z": inside})]:
        with pytest.raises(arr.CheckError):
            arr.evaluate("z + OUTSIDE", *given)


def test_tables_say_the_types_of_their_columns():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"a": [1.0, 2.0], "b": [3, 4], "words": ["x", "y"]})
    assert arr.compile("a*b", table).signature == "(a: f64[2], b: i64[2]) -> f64[2]"
    assert arr.check("a*b", table.dtypes).results == [(None, "f64")]
    with pytest.raises(TypeError, match="^words: "):
        arr.check("words", table)


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_tables_of_other_libraries_say_types_too(library):
    module = pytest.importorskip(library)
    columns = {"a": [1.0, 2.0], "b": [3, 4], "words": ["x", "y"]}
    table = module.DataFrame(columns) if library == "polars" else module.table(columns)
    assert arr.compile("a*b", table).signature == "(a: f64[2], b: i64[2]) -> f64[2]"
    assert arr.check("a*b", table).results == [(None, "f64[2]")]
    assert list(arr.compare("a*b", table, systems="numpy").values()) == [["f64[2]"]]
    assert "f64[2]" in arr.explain("a*b", table)
    if library == "polars":
        assert arr.check("a*b", table.schema).results == [(None, "f64")]
        assert arr.compile("t", t=module.Boolean).signature == "(t: bool) -> bool"
        with pytest.raises(TypeError, match="^words: arr has no dtype String"):
            arr.check("words", table.schema)


def test_questions_take_a_dictionary():
    kinds = {"x": "i32[n]", "y": "f32[n]"}
    assert repr(arr.compare("x*y", kinds)) == repr(arr.compare("x*y", **kinds))
    assert arr.explain("x*y", kinds) == arr.explain("x*y", **kinds)


def test_a_name_that_is_no_array_says_what_it_is():
    nothing, kind, words = None, np.float64, np.array(["a"])
    for text, what in [("nothing + 1", "`nothing` is None"), ("kind + 1", "`kind` is the type float64"), ("inspect*2", "of type module")]:
        with pytest.raises(arr.CheckError, match=what):
            arr.evaluate(text)
    with pytest.raises(TypeError, match="words: arr has no dtype <U1"):
        arr.evaluate("words + 1")
    k = arr.compile("x + y", x="f64[n]", y="f64")
    for given, what in [((OUTSIDE, words), "y: arr has no"), ((words, 1), "x: arr has no"), ((OUTSIDE, "a"), "y:"), ((OUTSIDE, 1j), "y: 1j is no")]:
        with pytest.raises(TypeError, match=what):
            k(*given)


def test_wrong_values_of_options_and_texts_are_told_in_python_s_words():
    for run, what in [
        (lambda: arr.compile("x", x="f64", system=3), "^system is the name of a promotion system.*not 3"),
        (lambda: arr.evaluate("1", checked="yes"), "^checked is True or False, not yes"),
        (lambda: arr.compile("x", x="f64", width="wide"), "^width is 32 or 64"),
        (lambda: arr.check(None), "a text of the language is a str, not None"),
        (lambda: arr.evaluate(3), "a text of the language is a str"),
        (lambda: arr.compile("x", [1]), "types are a dictionary"),
    ]:
        with pytest.raises(TypeError, match=what):
            run()
    assert arr.result_type("f8_e5m2", system="tf") == arr.promote("f8_e5m2", "f8_e5m2")


def test_the_micro_sign_is_the_letter_that_python_makes_of_it():
    µ = np.ones(2)
    assert "µ" not in locals() and arr.evaluate("µ + 1").tolist() == [2, 2]
    assert arr.evaluate("µ + 1", {}, {}, µ=µ).tolist() == [2, 2] and arr.evaluate("µ + 1", {"µ": µ}, {}).tolist() == [2, 2]
    assert arr.compile("µ + 1", µ="f64[n]")(µ=µ).tolist() == [2, 2]


def test_an_input_with_a_default_may_be_given():
    x = np.ones(2)
    for text in ["input x: f64[n]\ninput g: f64 = 0.5\nx*g", "input g: f64 = 0.5\ninput x: f64[n]\nx*g"]:
        k = arr.compile(text)
        assert k(x).tolist() == [0.5, 0.5] and k(x, g=0.25).tolist() == [0.25, 0.25] and k(x=x, g=3).tolist() == [3, 3]
        out = np.empty(2)
        assert k(x, g=0.25, out=out, threads=1) is out and k(x).tolist() == [0.5, 0.5]
        for wrong in [lambda: k(x, h=1.0), lambda: k(g=1.0), lambda: k(x, x=x)]:
            with pytest.raises(TypeError):
                wrong()


def test_places_are_in_characters():
    text = "é + sqqrt(x)"
    found = arr.check(text, x="f64", é="f64")[0]
    assert text[slice(*found.span)] == "sqqrt" and found.fixes[0].edits[0].start == 4
    assert found.fixes[0].apply(text) == "é + sqrt(x)"


def test_signatures_are_those_of_the_inputs():
    k = arr.compile("x + y", x="f64[n]", y="f64")
    assert str(inspect.signature(k)) == "(x: 'f64[n]', y: 'f64', *, out=None, threads=None, copy=None)"
    assert all(word in arr.Kernel.__doc__ for word in ("out=None", "threads=None", "copy=None"))
    text = "input x: f32[n]\ninput s: f32 = 2\ninput e: f32 = 2*0.5\nx*s + e"
    k = arr.compile(text)
    assert k.signature == "(x: f32[n], s: f32 = 2, e: f32 = 2*0.5) -> f32[n]" and k.names == ["x"]
    assert str(inspect.signature(k)) == "(x: 'f32[n]', *, s: 'f32' = 2, e: 'f32' = 2*0.5, out=None, threads=None, copy=None)"
    # One that is given is an argument, or a part of the text.
    assert arr.compile(text, s="f32", e=1).signature == "(x: f32[n], s: f32) -> f32[n]"


def test_lists_take_the_dtype_of_their_input_or_say_why_not():
    for kind, value in [("f16", 100000), ("f32", 1e300), ("f8_e4m3", 1e300), ("f8_e4m3", float("inf")), ("u64", -1), ("i32", 2**31)]:
        with pytest.raises(OverflowError, match=f"^x: .* does not fit"):
            arr.compile("x", x=f"{kind}[n]")([value, 1])
    assert arr.compile("x", x="u64[n]")([2**63, 1]).tolist() == [2**63, 1]
    assert arr.compile("x", x="f32[n]")([1, float("inf")]).tolist() == [1, float("inf")]
    for kind in ["i32", "f32", "bool", "c64"]:
        made = arr.compile("x", x=f"{kind}[n]")([])
        assert made.shape == (0,) and arr.promote(made.dtype, made.dtype) == made.dtype == arr.promote(kind, kind)


FILTER = """
import numpy as np, arrlang as arr, warnings
warnings.filterwarnings("error", category=arr.PrecisionLoss)
try:
    arr.evaluate("i*x", {"i": np.ones(2, "i4"), "x": np.ones(2, "f4")}, {}, system="jax")
except arr.PrecisionLoss:
    print("raised")
"""
TEST = """
import numpy as np, arrlang as arr
def test_it():
    arr.evaluate("i*x", {"i": np.ones(2, "i4"), "x": np.ones(2, "f4")}, {}, system="jax")
"""


def test_findings_become_errors_as_the_readme_says(tmp_path):
    made = subprocess.run([sys.executable, "-c", FILTER], capture_output=True, text=True)
    assert made.stdout == "raised\n", made.stderr
    (tmp_path / "test_it.py").write_text(TEST)
    options = ["-W", "error::arrlang.PrecisionLoss"]
    made = subprocess.run([sys.executable, "-m", "pytest", "-q", *options, "test_it.py"], capture_output=True, text=True, cwd=tmp_path)
    assert made.returncode == 1 and "PrecisionLoss" in made.stdout
