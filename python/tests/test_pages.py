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
    shell.run_cell("%%arr\nk * xx")
    assert "unknown-name" in capsys.readouterr().out
    assert arr.__version__


def test_the_pictures_show_what_is_drawn():
    import pictures

    for name, draw in pictures.PICTURES.items():
        assert (pictures.FOLDER / name).read_text() == draw(), "python python/tests/pictures.py draws it anew"
