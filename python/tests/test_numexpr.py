"""numexpr's own test suite, from its wheel and unchanged, against ``arrlang.evaluate``.

Its expressions are parametrised tests: each is evaluated by NumPy, which says the dtype and the values, and by arr. What arr
refuses is listed in `numexpr.md` with the code of the reason. Its other tests of ``evaluate`` run as they are, but for those that are
about numexpr itself.
"""

import importlib.metadata
import pathlib
import re
import unittest
import warnings

import numpy as np
import pytest

import arrlang as arr

suite = pytest.importorskip("numexpr.tests.test_numexpr")


def values(dtype, test_scalar):
    """The arrays of ``test_expressions`` in numexpr's suite."""
    size = 100
    a = np.arange(2 * size, dtype=dtype)[::2]
    a2 = np.zeros([size, size], dtype=dtype)
    b = np.arange(size, dtype=dtype) / size
    c, d, e = (np.arange(size, dtype=dtype) for _ in range(3))
    if dtype == complex:
        a = a.real
        for var in [a2, b, c, d, e]:
            var += 1j
            var *= 1 + 1j
    if test_scalar == 1:
        a = a[size // 2]
    if test_scalar == 2:
        b = b[size // 2]
    return {"a": a, "a2": a2, "b": b, "c": c, "d": d, "e": e}


def parameters():
    marks = suite.test_expressions.pytestmark[0].args[1]
    seen = {(expr, scalar, dtype) for expr, scalar, dtype, *_ in marks}
    return sorted(seen, key=lambda one: (one[0], one[1], str(one[2])))


def outcome(expr, scalar, dtype):
    """What became of an expression: ``None`` when it is what NumPy says, the code of what arr refuses as NumPy does."""
    given = values(dtype, scalar)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = eval(expr, vars(suite), dict(given))
        except Exception as error:
            expected = error
        try:
            made = arr.evaluate(expr, given, {})
        except arr.CheckError as error:
            return error.code if isinstance(expected, Exception) else f"{error.code}, and NumPy has a value"
    if isinstance(expected, Exception):
        return f"NumPy raises {expected}"
    expected = np.asarray(expected)
    if np.asarray(made).dtype != expected.dtype:
        return f"{np.asarray(made).dtype} for {expected.dtype}"
    tolerance = 1e-5 if expected.dtype == np.float32 else 1e-8
    same = made.shape == expected.shape and np.allclose(made, expected, atol=tolerance, equal_nan=True)
    return None if same else "other values"


def page():
    """The part of the page that is about the suite."""
    text = (pathlib.Path(__file__).parents[1] / "numexpr.md").read_text()
    return text, text.split("## Its test suite")[1]


def test_every_expression_gives_the_dtype_and_the_values_of_numpy_but_for_those_of_the_page():
    found, count, refused = {}, 0, 0
    for expr, scalar, dtype in parameters():
        made, count = outcome(expr, scalar, dtype), count + 1
        if made is not None:
            refused += 1
            found.setdefault((expr, np.dtype(dtype).name), set()).add(made)
    whole, part = page()
    rows = re.findall(r"^\| `(.*)`, (\w+) \| (E\d+) \|", part, re.MULTILINE)
    assert found == {(expr, dtype): {code} for expr, dtype, code in rows}
    if importlib.metadata.version("numexpr") == "2.14.2":
        assert f"Of the {count:,} expressions" in whole and f"{count - refused:,} give NumPy's" in whole


def test_the_page_lists_the_tests_that_are_different():
    rows = dict(re.findall(r"^\| `(test_\w+)` \| (.*) \|$", page()[1], re.MULTILINE))
    assert rows == {name.split(".")[1]: reason for name, reason in ABOUT_NUMEXPR.items()}


#: Tests of numexpr's suite that ask something else of ``evaluate``, with the reason.
ABOUT_NUMEXPR = {
    "test_evaluate.test_boolean_operator": "`and` and `or` of arrays are refused there, and go by elements here",
    "test_evaluate.test_complex_expr": "`complex(a, b)` is written `a + b*1j`",
    "test_evaluate.test_illegal_value": "a list in a text is an array here",
    "test_evaluate.test_no_sanitize": "a text is never Python, so nothing needs to be switched off",
    "test_evaluate.test_re_evaluate": "a kernel is called instead",
    "test_evaluate.test_re_evaluate_dict": "a kernel is called instead",
    "test_evaluate.test_re_evaluate_reuses_live_out": "a kernel is called instead",
    "test_evaluate.test_sanitize": "what is refused is a CheckError, a TypeError; there a ValueError",
    "test_evaluate.test_unaligned_singleton": "the text `3` alone is i64, which `out` of int32 does not take safely",
}

CASES = [suite.test_evaluate, suite.test_int64, suite.test_irregular_stride, suite.test_zerodim]


def methods():
    for case in CASES:
        for name in unittest.defaultTestLoader.getTestCaseNames(case):
            yield pytest.param(case, name, id=f"{case.__name__}.{name}")


@pytest.mark.parametrize("case,name", methods())
@pytest.mark.filterwarnings("ignore")
def test_its_tests_of_evaluate_pass(case, name, monkeypatch):
    reason = ABOUT_NUMEXPR.get(f"{case.__name__}.{name}")
    monkeypatch.setattr(suite, "evaluate", arr.evaluate)
    result = unittest.TestResult()
    case(name).run(result)
    failures = [text for _, text in result.failures + result.errors]
    if reason is None:
        assert not failures, failures[0]
    else:
        assert failures or result.skipped, f"{name} passes: it is not different any more"
