"""Every line of the pages runs."""

import doctest
import pathlib

import pytest

import arrlang as arr

FOLDER = pathlib.Path(__file__).parents[1]


@pytest.mark.parametrize("page", ["README.md", "numexpr.md", "../README.md"])
def test_the_page_is_true(page):
    failed, tried = doctest.testfile(str(FOLDER / page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried and not failed


def test_a_cell_of_a_notebook(capsys):
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell.instance()
    shell.run_line_magic("load_ext", "arrlang")
    shell.run_cell("import numpy as np; x = np.arange(3, dtype='f4')")
    made = shell.run_cell("%%arr -o y\nlet k = 2\nk * x")
    assert made.success and shell.user_ns["y"].tolist() == [0, 2, 4]
    assert not shell.run_cell("%%arr -o y\nk * xx").success
    assert "unknown-name" in capsys.readouterr().out
    assert arr.__version__


def test_mistakes_of_a_cell_end_it_and_nothing_else(capsys):
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell.instance()
    shell.run_line_magic("load_ext", "arrlang")
    shell.run_cell("import numpy as np; x = np.arange(3, dtype='f4')")
    for names in ["a,b", "a, b", "a b"]:
        assert shell.run_cell(f"%%arr -o {names}\nx + 1\nsum(x)").success
        assert shell.user_ns.pop("a").tolist() == [1, 2, 3] and shell.user_ns.pop("b") == 3
    for line, what in [("--bogus", "unrecognized arguments: --bogus"), ("-o a,b,c", "results are 2"), ("-o 3", "'3' is no name"), ("-o a,a", "'a' stands there twice"), ("--sys jax", "--sys")]:
        made = shell.run_cell(f"%%arr {line}\nx + 1\nsum(x)")
        assert not made.success and not isinstance(made.error_in_exec, SystemExit)
        told = capsys.readouterr()
        assert what in told.out + told.err


def test_the_pictures_show_what_is_drawn():
    import pictures

    for name, draw in pictures.PICTURES.items():
        assert (pictures.FOLDER / name).read_text() == draw(), "python python/tests/pictures.py draws it anew"
