"""Options and names of calls: which there are, what was meant by others, and how they are shown."""

from __future__ import annotations

import ast
import inspect
import unicodedata
from collections.abc import Sequence

from . import _arrays
from . import _arrlang

#: What decides how a text is compiled.
OF_A_TEXT = ("system", "mode", "width", "checked", "threads")


def unknown(function: str, name: str, text: str | None = None, options: tuple[str, ...] | None = None):
    """Raises the error for a keyword that is no option, and that the text has not."""
    import difflib

    import arrlang

    if options is None:
        every = inspect.signature(getattr(arrlang, function)).parameters.values()
        options = tuple(one.name for one in every if one.kind is one.KEYWORD_ONLY or one.default is not one.empty)
    meant = [one for one in options if not one.startswith("_")] + (_arrlang.names_of(text) if text else [])
    near = difflib.get_close_matches(name, meant, 1)
    hint = f": did you mean {near[0]!r}?" if near else ""
    also = "" if text is None else f", and {name!r} is not in the text"
    raise TypeError(f"{function} has no option {name!r}{also}{hint}")


def readable(text):
    """A text without halves of characters, which no text has: the mark in their place is refused where it stands."""
    if not isinstance(text, str) or text.isascii():
        return text
    return "".join("\ufffd" if "\ud800" <= one <= "\udfff" else one for one in text)


def types(function: str, text: str, given, named: dict) -> dict:
    """Types by name, of a dictionary or a table with columns, and of keywords, which the text must have."""
    if not isinstance(text, str):
        raise TypeError(f"a text of the language is a str, not {_said(text)}")
    if given is None:
        stated = {}
    elif isinstance(given, dict) and not _arrays.is_of_polars(given):
        stated = dict(given)
    elif (names := columns(given)) is not None:
        # Of a table, only the columns that the text has.
        stated = {name: given[name] for name in names if isinstance(name, str) and _arrlang.mentions(text, name)}
    else:
        raise TypeError(f"types are a dictionary of names, not {_said(given)}")
    for name, kind in named.items():
        stated[_spelled(function, text, name)] = kind
    return stated


def columns(given):
    """The names of the columns of a table or of its types; ``None`` for what is no table."""
    if hasattr(given, "keys"):
        return given.keys()
    names = getattr(given, "column_names", None) or getattr(given, "columns", None)
    return names if isinstance(names, list) and all(isinstance(name, str) for name in names) else None


def _spelled(function: str, text: str, name: str) -> str:
    """A keyword as the text spells it: Python writes the micro sign as the Greek letter."""
    if _arrlang.mentions(text, name):
        return name
    for own in _arrlang.names_of(text):
        if not own.isascii() and unicodedata.normalize("NFKC", own) == name:
            return own
    unknown(function, name, text)


def _said(value) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"


class _Default(str):
    """The default of an input as the text has it."""

    def __repr__(self) -> str:
        return str(self)


def _default(text: str):
    """The default of an input: a number, where it is one."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return _Default(text)


def signature(
    inputs: list[tuple[str, str | None]], options: bool = True, optional: Sequence[tuple[str, str, str]] = ()
) -> inspect.Signature:
    """What ``inspect.signature`` answers: the inputs with their types, those that have a default, and the options of a call."""
    empty, by_name = inspect.Parameter.empty, inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=kind or empty) for name, kind in inputs]
    parameters += [inspect.Parameter(name, by_name, default=_default(text), annotation=kind) for name, kind, text in optional]
    if options:
        taken = {one.name for one in parameters}
        words = [name for name in ("out", "threads", "copy") if name not in taken]
        parameters += [inspect.Parameter(name, by_name, default=None) for name in words]
    return inspect.Signature(parameters)
