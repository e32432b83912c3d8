"""``check``, ``promote``, ``explain``, ``compare``: questions that run nothing."""

import numpy as np
import pytest

import arrlang as arr


def test_check_answers_diagnostics_that_draw_themselves():
    found = arr.check("counts * gain", counts="i32[n]", gain="f32[n]", system="jax")
    assert [one.name for one in found] == ["precision-loss"]
    one = found[0]
    assert (one.code, one.level, one.line, one.column) == ("E0301", "warning", 1, 8)
    assert one.span == (7, 8) and one.fixes and "counts * gain" in repr(one)
    assert "<pre" in found._repr_html_() and "\x1b" not in found._repr_html_()
    assert found.results == [(None, "f32[n]")]


def test_a_fix_can_be_applied():
    found = arr.check("let scale = 2\nmean(x) * scal", x="f32[n]")
    fix = found.errors[0].fixes[0]
    assert fix.apply("let scale = 2\nmean(x) * scal") == "let scale = 2\nmean(x) * scale"


def test_nothing_found_says_the_types():
    found = arr.check("x * 2", x=np.zeros((2, 3), "f4"))
    assert not found and repr(found) == "nothing found: f32[2, 3]"


def test_html_shows_nothing_but_text():
    found = arr.check("'<script>' + x", x="f32[n]")
    assert found and "<script>" not in found._repr_html_()


def test_promote_and_result_type():
    assert arr.promote("i32", "f32", system="torch") == np.float32
    assert arr.promote("i32", "f32", system="jax") == np.float32
    assert arr.promote(np.int32, 1.5) == np.float64
    assert arr.promote("u8", op="sqrt") == np.float16
    with pytest.raises(TypeError, match="no common type"):
        arr.promote("i32", "f32", system="tf")
    with pytest.raises(ValueError):
        arr.promote("i32", "f33")
    for nothing in (arr.promote, arr.result_type):
        with pytest.raises(TypeError, match="no operands"):
            nothing()
    with pytest.raises(ValueError, match='no operation "foo"'):
        arr.promote("i8", "i8", op="foo")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("left", "? b h i q B H I Q e f d F D".split())
@pytest.mark.parametrize("right", "? b h i q B H I Q e f d F D".split())
def test_result_type_is_that_of_numpy(left, right):
    assert arr.result_type(np.dtype(left), np.dtype(right)) == np.result_type(left, right)


def test_explain():
    assert "E0301" in arr.explain("precision-loss")
    assert "i64" in arr.explain("i8", "u32")
    text = arr.explain("x*y + 1.0", x="f32[n]", y="i64[n]", system="jax")
    assert text.splitlines()[0].split() == ["x*y", "+", "1.0", "f32[n]"] and "f32 does not hold every i64" in text
    with pytest.raises(KeyError, match="precision-loss"):
        arr.explain("precision-los")
    with pytest.raises(arr.CheckError):
        arr.explain("x + ", x="f32[n]")
    for name in ["PrecisionLoss", "precision_loss", "E0301"]:
        assert arr.explain(name) == arr.explain("precision-loss")
    for wrong, meant in [("E9999", "no code or finding"), ("IntegerOverflo", "integer-overflow"), ("x-y", "an expression needs types")]:
        with pytest.raises(KeyError, match=meant):
            arr.explain(wrong)
    with pytest.raises(arr.CheckError, match=r'explain\(…, x="f32\[n\]"\)') as caught:
        arr.explain("x*y")
    assert "compile" not in str(caught.value) and "explain" in caught.value.fixes[0].text


def test_compare():
    made = arr.compare("x + 1.5", x="i32[n]", systems=("numpy", "jax", "tf"))
    assert made["numpy"] == ["f64[n]"] and made["jax"] == ["f*[n]"] and isinstance(made["tf"], arr.CheckError)
    assert not made.agree and "<table" in made._repr_html_() and "numpy" in repr(made)


def test_one_system_may_be_a_name():
    assert arr.compare("x", x="i32", systems="numpy") == {"numpy": ["i32"]}


def test_half_a_character_is_refused_where_it_stands():
    found = arr.check("x\ud800+1", x="f32")
    assert [one.name for one in found] == ["unknown-character"] and found[0].span == (1, 2)
    for run in [arr.compile, arr.evaluate]:
        with pytest.raises(arr.CheckError) as caught:
            run("x\ud800+1", x=2)
        assert caught.value.name == "unknown-character"


def test_advice_for_a_type_that_is_not_whole_is_for_python():
    found = arr.check("x*2", x="f64[..]")
    assert [fix.text for fix in found[0].fixes] == ['give a whole type, `compile(…, x="f32[n]")`, or an array']
    assert "--at" not in repr(found)


def test_every_finding_has_a_class():
    for _, name, _ in arr.codes():
        assert issubclass(arr.warning_class(name), arr.ArrWarning)
    assert arr.PrecisionLoss is arr.warning_class("precision-loss")
    with pytest.raises(AttributeError):
        arr.NoSuchFinding
    assert "numpy" in arr.systems() and len(arr.systems(historical=True)) > len(arr.systems())


def test_stubs_name_what_there_is():
    import ast
    import pathlib

    folder = pathlib.Path(arr.__file__).parent
    assert (folder / "py.typed").exists()
    tree = ast.parse((folder / "__init__.pyi").read_text())
    named = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assert set(arr.__all__) <= named


def test_the_examples_of_the_docstrings_run():
    import doctest

    failed, tried = doctest.testmod(arr, extraglobs={"np": np})
    assert tried and not failed
