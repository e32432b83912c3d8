"""The stubs are what is there, and say what is not."""

import subprocess
import sys

import pytest

import arrlang as arr

PROGRAM = """
from typing import Annotated
import numpy as np, arrlang as arr
made = arr.evaluate("x + 1", x=np.ones(2), out=(np.empty(2),))
raise_me: type[arr.ArrWarning] = arr.PrecisionLoss
code, name, *rest = arr.check("x", x="f64")[0]
html: str = arr.check("x", x="f64")._repr_html_() + arr.check("x", x="f64")[0]._repr_html_()
@arr.function
def f(x): return x
@arr.function
def g(x: Annotated[np.ndarray, "f32[n]"]) -> np.ndarray: return x
f(np.ones(2), out=np.empty(2), threads=1).sum()
found = f.check(x="f32")
arr.evalute("x + 1")
arr.function(mod="safe")
"""


def mypy(*arguments, **options):
    pytest.importorskip("mypy")
    return subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, **options)


def test_the_stubs_are_those_of_the_package(tmp_path):
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\n[mypy-arrlang.*]\nignore_errors = True\n")
    made = mypy("mypy.stubtest", "arrlang", "--ignore-missing-stub", "--mypy-config-file", str(config))
    told = [line for line in made.stdout.splitlines() if line.startswith("error") and "disjoint_base" not in line]
    assert not told and "build errors" not in made.stdout, made.stdout


def test_a_name_that_is_not_there_is_an_error(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    made = mypy("mypy", "program.py", cwd=tmp_path)
    told = [line for line in made.stdout.splitlines() if line.startswith("program.py") and "error" in line]
    assert len(told) == 2 and "evalute" in told[0] and "function" in told[1], made.stdout


def test_every_finding_has_a_class_in_the_stubs():
    text = open(arr.__file__ + "i").read()
    for _, name, _ in arr.codes():
        assert f"class {arr.warning_class(name).__name__}(ArrWarning): ..." in text
