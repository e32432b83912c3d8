"""``%%arr``: a cell in the language, whose names are arrays of the notebook."""

from __future__ import annotations

import argparse
import sys
import warnings

from . import CheckError, RunError, evaluate


def load(shell) -> None:
    """Registers the magic."""

    def arr(line: str, cell: str | None = None):
        """``%arr EXPRESSION`` and ``%%arr [--system NAME] [--mode MODE] [--checked] [-o NAME]``: evaluates with the arrays
        of the notebook, and shows what is found. ``-o`` gives the result a name."""
        parser = argparse.ArgumentParser(prog="%%arr", add_help=False)
        parser.add_argument("--system")
        parser.add_argument("--mode")
        parser.add_argument("--checked", action="store_true")
        parser.add_argument("-o", dest="name")
        if cell is None:
            options, text = parser.parse_args([]), line
        else:
            options, text = parser.parse_args(line.split()), cell
        space = shell.user_ns
        chosen = {"system": options.system, "mode": options.mode, "checked": options.checked}
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            try:
                value = evaluate(text, space, {}, **chosen)
            except (CheckError, RunError) as error:
                _show(error.diagnostics)
                return None
        for one in found:
            _show(getattr(one.message, "diagnostic", None) or one.message)
        if options.name:
            space[options.name] = value
            return None
        return value

    shell.register_magic_function(arr, "line_cell", "arr")


def _show(what) -> None:
    display = getattr(sys.modules.get("IPython.display"), "display", None)
    if display:
        display(what)
    else:
        print(what)
