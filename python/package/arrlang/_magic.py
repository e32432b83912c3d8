"""``%%arr``: a cell in the language, whose names are arrays of the notebook."""

from __future__ import annotations

import argparse
import keyword
import sys
import warnings

from . import evaluate


class _Options(argparse.ArgumentParser):
    """Options of a cell, whose mistakes end the cell and not the notebook."""

    def error(self, message: str):
        raise _usage(f"{message}; {self.format_usage().strip()}")


def _usage(message: str) -> Exception:
    """What IPython shows in a line."""
    from IPython.core.error import UsageError

    return UsageError(message)


def _parser() -> _Options:
    parser = _Options(prog="%%arr", add_help=False, allow_abbrev=False)
    parser.add_argument("--system")
    parser.add_argument("--mode")
    parser.add_argument("--checked", action="store_true")
    parser.add_argument("-o", dest="names", nargs="+", metavar="NAME")
    return parser


def load(shell) -> None:
    """Registers the magic."""

    def arr(line: str, cell: str | None = None):
        """``%arr EXPRESSION`` and ``%%arr [--system NAME] [--mode MODE] [--checked] [-o NAME[,NAME…]]``: evaluates with the arrays
        of the notebook, and shows what is found. ``-o`` gives the result a name, or each of several results one. What is
        refused is an error of the cell."""
        options, text = (_parser().parse_args([]), line) if cell is None else (_parser().parse_args(line.split()), cell)
        names = [name for name in ",".join(options.names or ()).split(",") if name]
        for name in names:
            if not name.isidentifier() or keyword.iskeyword(name):
                raise _usage(f"-o: {name!r} is no name")
            if names.count(name) > 1:
                raise _usage(f"-o: {name!r} stands there twice")
        space = shell.user_ns
        chosen = {"system": options.system, "mode": options.mode, "checked": options.checked}
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            value = evaluate(text, space, {}, **chosen)
        for one in found:
            _show(getattr(one.message, "diagnostic", None) or one.message)
        if not names:
            return value
        _name(space, names, value)
        return None

    shell.register_magic_function(arr, "line_cell", "arr")


def _name(space: dict, names: list[str], value) -> None:
    """Gives the result a name, or each of the results."""
    if len(names) == 1:
        space[names[0]] = value
        return
    values = value if isinstance(value, tuple) else (value,)
    if len(values) != len(names):
        raise _usage(f"-o: there are {len(names)} names, and the results are {len(values)}")
    space.update(zip(names, values))


def _show(what) -> None:
    display = getattr(sys.modules.get("IPython.display"), "display", None)
    if display:
        display(what)
    else:
        print(what)
