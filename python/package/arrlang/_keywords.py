"""Options and names of calls: which there are, what was meant by others, and how they are shown."""

from __future__ import annotations

import inspect
import unicodedata

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
    elif isinstance(given, dict):
        stated = dict(given)
    elif hasattr(given, "keys"):
        # Of a table, only the columns that the text has.
        stated = {name: given[name] for name in given.keys() if isinstance(name, str) and _arrlang.mentions(text, name)}
    else:
        raise TypeError(f"types are a dictionary of names, not {_said(given)}")
    for name, kind in named.items():
        stated[_spelled(function, text, name)] = kind
    return stated


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


def signature(inputs: list[tuple[str, str | None]], options: bool = True) -> inspect.Signature:
    """What ``inspect.signature`` answers: the inputs with their types, and the options of a call."""
    empty = inspect.Parameter.empty
    parameters = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=kind or empty) for name, kind in inputs]
    if options:
        taken = {name for name, _ in inputs}
        words = [name for name in ("out", "threads", "copy") if name not in taken]
        parameters += [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in words]
    return inspect.Signature(parameters)
