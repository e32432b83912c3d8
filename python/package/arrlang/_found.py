"""What was found, as Python sees it: diagnostics, exceptions and warnings."""

from __future__ import annotations

import sys as _sys
import warnings as _warnings
from typing import NamedTuple as _NamedTuple

__all__ = ["ArrWarning", "CheckError", "Diagnostic", "Diagnostics", "Edit", "Fix", "RunError", "warning_class"]


class Edit(_NamedTuple):
    """A replacement of the characters ``start`` to ``end`` of the text."""

    start: int
    end: int
    replacement: str


class Fix(_NamedTuple):
    """What to write instead: a sentence, and the edits where a machine can do it. There are none that would only write down what
    happens anyway, for that hides the finding."""

    text: str
    edits: tuple[Edit, ...] = ()
    keeps_values: bool = False

    def apply(self, text: str) -> str:
        """The text with the edits."""
        for edit in sorted(self.edits, key=lambda edit: edit.start, reverse=True):
            text = text[: edit.start] + edit.replacement + text[edit.end :]
        return text


class Diagnostic(_NamedTuple):
    """One thing that was found. ``str`` and ``repr`` draw it, a notebook shows it in colours; ``span`` is where, in characters
    of the text."""

    code: str
    name: str
    level: str
    message: str
    line: int | None
    column: int | None
    span: tuple[int, int] | None
    fixes: tuple[Fix, ...]
    notes: tuple[str, ...]
    drawn: str
    coloured: str

    def __str__(self) -> str:
        return self.drawn

    def __repr__(self) -> str:
        return self.drawn

    def _repr_html_(self) -> str:
        return to_html(self.coloured)


#: What the extension answers for a diagnostic: its fields, its drawing, and the drawing with colours.
_Parts = tuple[dict, str, str]


def diagnostic(part: _Parts) -> Diagnostic:
    """A diagnostic of what the extension answers."""
    data, drawn, coloured = part

    def fix(one: dict) -> Fix:
        found = one["fix"] or {"edits": [], "keeps_values": False}
        edits = tuple(Edit(edit["start"], edit["end"], edit["replacement"]) for edit in found["edits"])
        return Fix(one["text"], edits, found["keeps_values"])

    span = data["span"] and (data["span"]["start"], data["span"]["end"])
    return Diagnostic(
        data["code"], data["name"], data["level"], data["message"], data["line"], data["column"], span,
        tuple(map(fix, data["help"])), tuple(data["notes"]), drawn.rstrip("\n"), coloured.rstrip("\n"),
    )


class Diagnostics(list):
    """A list of diagnostics that draws itself. It is true when something was found."""

    #: The types of the results, ``(name, type)`` each; empty where there are errors.
    results: list[tuple[str | None, str]] = []

    @property
    def errors(self) -> list[Diagnostic]:
        """Those for which the text does not run."""
        return [one for one in self if one.level == "error"]

    def __repr__(self) -> str:
        if not self:
            types = ", ".join(f"{name}: {kind}" if name else kind for name, kind in self.results)
            return f"nothing found: {types}" if types else "nothing found"
        return "\n\n".join(map(repr, self))

    def _repr_html_(self) -> str:
        if not self:
            return to_html(repr(self))
        return "".join(one._repr_html_() for one in self)


_COLOURS = {"31": "#c0392b", "32": "#1e8449", "33": "#b9770e", "34": "#2471a3", "35": "#7d3c98", "36": "#117a65"}


def to_html(text: str) -> str:
    """Text with the colours of a terminal, as HTML that shows nothing but text."""
    import html
    import re

    parts, active = [], {}
    for at, piece in enumerate(re.split(r"\x1b\[([0-9;]*)m", text)):
        if at % 2:
            active = _styled(active, piece)
        elif piece:
            style = ";".join(f"{key}:{value}" for key, value in active.items())
            piece = html.escape(piece)
            parts.append(f'<span style="{style}">{piece}</span>' if style else piece)
    return f'<pre class="arr" style="line-height:1.2">{"".join(parts)}</pre>'


def _styled(active: dict[str, str], codes: str) -> dict[str, str]:
    """The style after an escape sequence."""
    if codes in ("", "0"):
        return {}
    numbers, made = codes.split(";"), dict(active)
    while numbers:
        number = numbers.pop(0)
        if number == "38" and numbers[:1] == ["5"]:
            made["color"] = _cube(int(numbers[1]))
            del numbers[:2]
            continue
        number = number.replace("9", "3", 1) if number.startswith("9") else number
        if number == "1":
            made["font-weight"] = "bold"
        elif number in _COLOURS:
            made["color"] = _COLOURS[number]
        elif number == "39":
            made.pop("color", None)
    return made


def _cube(number: int) -> str:
    """A colour of the 256 of a terminal."""
    if number < 16:
        return _COLOURS.get(str(30 + number % 8), "inherit")
    if number >= 232:
        grey = 8 + 10 * (number - 232)
        return f"#{grey:02x}{grey:02x}{grey:02x}"
    number -= 16
    level = [0, 95, 135, 175, 215, 255]
    return "#" + "".join(f"{level[part]:02x}" for part in (number // 36, number // 6 % 6, number % 6))


class _Found(Exception):
    """What was found, as text; its parts as attributes."""

    def __init__(self, diagnostics: list[Diagnostic], exit: int = 1) -> None:
        self.diagnostics = Diagnostics(diagnostics)
        #: What the command would end with.
        self.exit = exit
        first = next(iter(self.diagnostics.errors or self.diagnostics), None)
        self.code = first and first.code
        self.name = first and first.name
        self.message = first.message if first else ""
        self.span = first and first.span
        self.fixes = first.fixes if first else ()
        super().__init__("\n" + "\n\n".join(one.drawn for one in self.diagnostics))

    def __reduce__(self):
        return type(self), (list(self.diagnostics), self.exit)

    def _repr_html_(self) -> str:
        return self.diagnostics._repr_html_()

    def _render_traceback_(self) -> list[str]:
        """In a notebook: what was found instead of the frames that lead there."""
        return [f"{type(self).__name__}: {self.message}", *(one.coloured for one in self.diagnostics)]


class CheckError(_Found, TypeError):
    """A text, or the types of what it is given, is wrong: nothing was run."""


class RunError(_Found, RuntimeError):
    """The data of a call is wrong, or something it needs is not there."""


#: What only the data of a call shows.
_OF_DATA = frozenset({
    "out-of-range", "overflow", "divided-by-zero", "lossy-cast", "index-out-of-range", "assertion-failed", "empty-reduction",
    "out-of-memory", "array-too-large", "internal-error", "file-unreadable", "file-changed", "truncated-file", "bad-array-file",
    "unfit-matrix",
})


def raised(parts: list[_Parts], running: bool, exit: int) -> BaseException:
    """The exception for what was refused; ``running`` when a call was, and not a text."""
    found = [diagnostic(part) for part in parts]
    if exit == 130:
        return KeyboardInterrupt()
    of_data = running and any(one.level == "error" and one.name in _OF_DATA for one in found)
    return RunError(found, exit) if of_data else CheckError(found, exit)


class ArrWarning(UserWarning):
    """What checking found that is no error. Each finding has a class of its own, ``arrlang.PrecisionLoss`` for
    ``precision-loss``; ``diagnostic`` has the parts."""

    def __init__(self, found: Diagnostic | str) -> None:
        self.diagnostic = found if isinstance(found, Diagnostic) else None
        super().__init__(found.drawn if isinstance(found, Diagnostic) else found)


_CLASSES: dict[str, type[ArrWarning]] = {}


def warning_class(name: str) -> type[ArrWarning]:
    """The class of a finding: ``precision-loss`` or ``PrecisionLoss``."""
    known = _CLASSES.get(name)
    if known is not None:
        return known
    from . import _arrlang

    row = _arrlang.code(finding_of(name))
    if row is None or name not in (row[1], _class_name(row[1])):
        raise AttributeError(f"arrlang has no finding {name!r}")
    code, finding, summary = row
    own = _class_name(finding)
    if own not in _CLASSES:
        made = type(own, (ArrWarning,), {"__doc__": f"{code} {finding}: {summary}", "__module__": "arrlang"})
        _CLASSES.setdefault(own, made)
    return _CLASSES.setdefault(finding, _CLASSES[own])


def finding_of(class_name: str) -> str:
    """``precision-loss`` of ``PrecisionLoss``."""
    return "".join("-" + letter.lower() if letter.isupper() else letter for letter in class_name).lstrip("-")


def _class_name(finding: str) -> str:
    return "".join(part.capitalize() for part in finding.split("-"))


def drawn(parts: list[_Parts]) -> list[Diagnostic]:
    """The findings that are no errors."""
    return [one for one in map(diagnostic, parts) if one.level != "error"]


def warn(findings: list[Diagnostic]) -> None:
    """Warns where a caller from outside of the package stands."""
    level, frame = 1, _sys._getframe()
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] == "arrlang":
        level, frame = level + 1, frame.f_back
    for found in findings:
        _warnings.warn(warning_class(found.name)(found), stacklevel=level)
