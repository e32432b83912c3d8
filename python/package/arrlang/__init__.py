"""arr for Python: know the dtype of everything before anything runs, then run at the speed of the machine.

>>> import numpy as np, arrlang as arr
>>> x = np.arange(3, dtype=np.float32)
>>> arr.evaluate("2*x + 1")
array([1., 3., 5.], dtype=float32)
>>> k = arr.compile("exp(-0.5*((x-m)/s)**2)", x="f32[n]", m="f32", s="f32")
>>> k.signature
'(x: f32[n], m: f32, s: f32) -> f32[n]'
>>> k(x, m=0.0, s=1.0).dtype
dtype('float32')
"""

from __future__ import annotations

import os as _os
import sys as _sys
import threading as _threading

import numpy as _np

from . import _arrays
from . import _arrlang
from . import _keywords
from ._arrlang import Kernel, release_memory, set_threads
from ._found import (
    ArrWarning,
    CheckError,
    Diagnostic,
    Diagnostics,
    Edit,
    Fix,
    RunError,
    diagnostic as _diagnostic,
    finding_of as _finding_of,
    warning_class,
    warn as _warn,
)

__version__ = "0.1.0"

__all__ = [
    "ArrWarning", "CheckError", "Comparison", "Diagnostic", "Diagnostics", "Edit", "Explanation", "Fix", "Kernel", "RunError",
    "check", "codes", "compare", "compile", "evaluate", "explain", "function", "promote", "release_memory",
    "result_type", "set_threads", "systems", "warning_class",
]

if _threading.current_thread() is _threading.main_thread():
    _arrlang.here_is_main()
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(
        before=_arrlang.before_fork,
        after_in_parent=_arrlang.after_fork_in_parent,
        after_in_child=_arrlang.after_fork_in_child,
    )


def _options(system, mode, width, checked) -> dict:
    return {"system": system, "mode": mode, "width": width, "checked": checked}


def evaluate(
    ex: str,
    local_dict=None,
    global_dict=None,
    out=None,
    order: str = "K",
    casting: str = "safe",
    *,
    system: str | None = None,
    mode: str | None = None,
    width: int | None = None,
    checked: bool = False,
    threads: int | None = None,
    copy: bool | None = None,
    sanitize=None,
    optimization=None,
    truediv=None,
    disable_cache=None,
    _frame_depth: int = 1,
    **names,
):
    """Evaluates an expression with the arrays that its names stand for.

    Names are looked up in ``names``, ``local_dict`` and ``global_dict``, which are those of the caller's frame where they are not
    given; a name that the text binds itself is its own, and in ``names`` an error. The dtype is NumPy's unless ``system`` says
    otherwise. ``out`` gets the result, which is cast as ``casting`` allows. ``order`` of the elements of a result is ``"C"``,
    ``"F"``, ``"A"``, or ``"K"``: that of the arrays, as NumPy has it. The last four arguments of numexpr are accepted and mean
    nothing.

    Raises CheckError when the expression or the types are wrong, RunError when the data are.

    >>> a, b = np.arange(3), np.arange(3.0)
    >>> evaluate("2*a + 3*b")
    array([ 0.,  5., 10.])
    """
    if type(ex) is not str:
        _keywords.types("evaluate", ex, None, {})
    if not ex.isascii():
        ex = _keywords.readable(ex)
    if casting != "safe" and casting not in _CASTINGS:
        raise ValueError(f"casting is one of {', '.join(map(repr, _CASTINGS))}, not {casting!r}")
    spaces = [names] if names else []
    options, seen = _options(system, mode, width, checked), None
    if local_dict is None:
        frame = _sys._getframe(_frame_depth)
        seen = frame.f_locals
        spaces += (seen, frame.f_globals if global_dict is None else global_dict)
        if not (_SNAPSHOTS and frame.f_code.co_flags & _CO_OPTIMIZED):
            seen = None
    elif global_dict is None:
        spaces += (local_dict, _sys._getframe(_frame_depth).f_globals)
    else:
        spaces += (local_dict, global_dict)
    try:
        if out is None:
            return _arrlang.evaluate(ex, spaces, options, None, threads, copy, order, bool(names))
        if casting == "no":
            _arrays.native_only(out)
        return _into(ex, spaces, options, out, threads, copy, order, casting, bool(names))
    finally:
        if seen is not None:
            del spaces
            # The frame and `seen` have it, and nobody else who wants to go on looking at it.
            if _sys.getrefcount(seen) <= 3:
                seen.clear()


_CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")

#: Before Python 3.13 the names of a function's frame are a copy, which would keep arrays for as long as the frame.
_SNAPSHOTS = _sys.version_info < (3, 13)
_CO_OPTIMIZED = 1


def _into(ex, spaces, options, out, threads, copy, order, casting, named):
    """Evaluates into memory of the caller, which may have another dtype if ``casting`` allows it, or a shape to which the result is
    broadcast."""
    try:
        return _arrlang.evaluate(ex, spaces, options, out, threads, copy, order, named)
    except CheckError:
        raise
    except (TypeError, ValueError) as error:
        if not isinstance(out, _np.ndarray) or isinstance(out, _np.ma.MaskedArray) or not out.flags.writeable:
            raise
        refused = error
    made = _arrlang.evaluate(ex, spaces, options, None, threads, copy, order, named)
    if isinstance(made, tuple) or not _arrays.cast_into(out, made, casting):
        raise refused
    return out


def _stated(types: dict) -> list[tuple[str, str | None, str | None]]:
    """Names with their types, or with the text of a number."""
    stated = []
    for name, value in types.items():
        number = _arrlang.number_text(value)
        try:
            stated.append((name, None if number else _arrays.type_text(value), number))
        except (TypeError, ValueError) as error:
            raise type(error)(f"{name}: {error}") from None
    return stated


_KERNELS: dict = {}


def _again(text: str, given: list, options: dict, threads: int | None) -> Kernel:
    """A kernel as it was made, or now. What workers of an engine unpickle is compiled once in each of them."""
    key = (text, tuple(map(tuple, given)), *options.values(), threads)
    kernel = _KERNELS.get(key)
    if kernel is None:
        kernel = Kernel(text, [tuple(one) for one in given], options, threads)
        while len(_KERNELS) >= 256:
            _KERNELS.pop(next(iter(_KERNELS)), None)
        kernel = _KERNELS.setdefault(key, kernel)
    return kernel


def compile(
    text: str,
    types: dict | None = None,
    /,
    *,
    system: str | None = None,
    mode: str | None = None,
    width: int | None = None,
    checked: bool = False,
    threads: int | None = None,
    **named,
) -> Kernel:
    """Checks a text for the types of its names; the kernel takes arrays of any lengths that agree with them.

    A type is written ``"f32[n]"``; a dtype is that of a scalar, an array says its own dtype and shape, and a number is
    part of the text. Types are given by name, or in a dictionary for names such as ``mode``, or by a table with columns. A script
    says them in its ``input`` lines. The same text with the same types is compiled once.

    Raises CheckError; warns with a class for each finding.

    >>> k = compile("x / sum(x)", x="f32[n]")
    >>> k.dtype, k.shape
    (dtype('float32'), ('n',))
    """
    text = _keywords.readable(text)
    stated = _stated(_keywords.types("compile", text, types, named))
    kernel = _again(text, stated, _options(system, mode, width, checked), threads)
    found = kernel._findings()
    if found:
        _warn(found)
    return kernel


def check(
    text: str,
    types: dict | None = None,
    /,
    *,
    system: str | None = None,
    mode: str | None = None,
    width: int | None = None,
    checked: bool = False,
    name: str = "<arr>",
    **named,
) -> Diagnostics:
    """What is found in a text, without running it: a list that draws itself.

    >>> [one.name for one in check("counts * gain", counts="i32[n]", gain="f32[n]", system="jax")]
    ['precision-loss']
    """
    text = _keywords.readable(text)
    stated = _stated(_keywords.types("check", text, types, named))
    whole = "\n" in text.strip()
    found, results = _arrlang.check(text, stated, _options(system, mode, width, checked), whole, name)
    answer = Diagnostics(map(_diagnostic, found))
    answer.results = results
    return answer


def _elem(value) -> str:
    """A dtype, an array or a number as an operand of promotion."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, (int, float, complex)) and not isinstance(value, _np.generic):
        return {int: "i*", float: "f*", complex: "c*"}[next(kind for kind in (int, float, complex) if isinstance(value, kind))]
    if isinstance(value, (type, _np.dtype)):
        return {bool: "bool", int: "i64", float: "f64", complex: "c128"}.get(value) or _arrays.dtype_text(_np.dtype(value))
    return _arrays.dtype_text(_arrays._lazily(value).dtype)


def promote(*operands, system: str = "numpy", op: str = "+") -> _np.dtype:
    """The dtype of an operation on operands: dtypes, arrays, names as ``"i8"``; numbers are weak.

    >>> promote("i32", "f32", system="torch"), promote(np.int32, 1.5)
    (dtype('float32'), dtype('float64'))
    """
    if not operands:
        raise TypeError("there are no operands: give dtypes, arrays or numbers")
    dtype, _, text = _arrlang.promote([_elem(one) for one in operands], system, op)
    if dtype is None:
        raise TypeError(text.strip())
    return _arrays.numpy_dtype(dtype)


def result_type(*operands, system: str = "numpy") -> _np.dtype:
    """What operands meet as, as ``numpy.result_type`` answers it, under any system.

    >>> result_type(np.int8, np.uint32)
    dtype('int64')
    """
    if len(operands) == 1:
        own = _elem(operands[0])
        return promote(own, own, system=system) if own.endswith("*") else _arrays.numpy_dtype(own)
    return promote(*operands, system=system)


def _finding_name(subject: str) -> str:
    """The finding that is meant by its class, ``PrecisionLoss``, or with other lines, ``precision_loss``; else what is there."""
    if not subject.isidentifier() or _arrlang.code(subject):
        return subject
    name = _finding_of(subject).replace("_", "-")
    return name if _arrlang.code(name) else subject


def _raise_for_a_finding(subject: str, error: KeyError) -> None:
    """Raises for what was meant as a code or a finding, and not as an expression."""
    is_near = "; there is " in error.args[0]
    is_code = subject[:1] == "E" and subject[1:].isdigit()
    is_name = subject.isidentifier() and not _arrlang.is_word(subject)
    has_dashes = "-" in subject and subject.replace("-", "").isalpha()
    if is_code or is_near and (is_name or has_dashes):
        raise error
    if has_dashes:
        name = subject.strip("-").partition("-")[0]
        raise KeyError(f'{error.args[0]}; an expression needs types, explain({subject!r}, {name}="f32[n]", …)')


class Explanation(str):
    """A text that shows itself as it is."""

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


def explain(
    subject: str,
    *types,
    system: str | None = None,
    mode: str | None = None,
    op: str = "+",
    **named,
) -> Explanation:
    """Says why: of a finding or code (``"precision-loss"``) its page, of dtypes (``"i8", "u32"``) what they meet as and what
    that costs, of an expression with the types of its names, or a dictionary of them, the dtype of every part.

    >>> print(explain("x*y", x="f32[n]", y="i64[n]", system="jax").splitlines()[0])
    x*y  f32[n]
    """
    subject = _keywords.readable(subject)
    if len(types) == 1 and not isinstance(types[0], str) and _keywords.columns(types[0]) is not None or named:
        named = _keywords.types("explain", subject, types[0] if types else None, named)
    elif types:
        return Explanation(_arrlang.promote([_elem(one) for one in (subject, *types)], system or "numpy", op)[2].rstrip())
    if not named:
        try:
            return Explanation(_arrlang.page(_finding_name(subject)).rstrip())
        except KeyError as error:
            _raise_for_a_finding(subject, error)
    parts, found = _arrlang.types(subject, _stated(named), _options(system, mode, None, False))
    errors = [one for one in map(_diagnostic, found) if one.level == "error"]
    if errors:
        raise CheckError([_for_types(one, subject) for one in errors])
    depth: list[tuple[int, int]] = []
    rows, how = [], []
    for start, end, text, kind, steps in parts:
        while depth and not (depth[-1][0] <= start and end <= depth[-1][1]):
            depth.pop()
        rows.append(("  " * len(depth) + " ".join(text.split()), kind))
        depth.append((start, end))
        if steps and steps not in how:
            how.append(steps)
    width = max((len(text) for text, _ in rows), default=0)
    lines = [f"{text:<{width}}  {kind}" for text, kind in rows]
    return Explanation("\n".join([*lines, "", *(step.rstrip() for step in how)]).rstrip())


def _for_types(one: Diagnostic, text: str) -> Diagnostic:
    """A diagnostic whose advice is about ``explain``, which takes no values."""
    if one.name != "unknown-name" or one.span is None or not one.fixes or not one.fixes[0].text.startswith("give it a value, "):
        return one
    first, *others = one.fixes
    name = text[slice(*one.span)]
    advice = f'give its type, `explain(…, {name}="f32[n]")`'
    drawn, coloured = (drawing.replace(first.text, advice) for drawing in (one.drawn, one.coloured))
    return one._replace(fixes=(first._replace(text=advice), *others), drawn=drawn, coloured=coloured)


class Comparison(dict):
    """What a text gives under several systems: ``{system: [type, …]}``, or the error of one that refuses."""

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        show = lambda kinds: kinds.message if isinstance(kinds, CheckError) else ", ".join(kinds)
        return "\n".join(f"{name:<{width}}  {show(kinds)}" for name, kinds in self.items())

    def _repr_html_(self) -> str:
        from html import escape

        show = lambda kinds: kinds.message if isinstance(kinds, CheckError) else ", ".join(kinds)
        rows = "".join(f"<tr><td>{escape(name)}</td><td>{escape(show(kinds))}</td></tr>" for name, kinds in self.items())
        return f"<table><tr><th>system</th><th>type</th></tr>{rows}</table>"

    @property
    def agree(self) -> bool:
        """Whether all systems give the same types."""
        values = list(self.values())
        return not any(isinstance(one, CheckError) for one in values) and all(one == values[0] for one in values)


def compare(
    text: str, types: dict | None = None, /, *, systems: str | tuple[str, ...] = ("numpy", "jax", "torch", "tf"), **named
) -> Comparison:
    """The types that a text gives under several systems, side by side.

    >>> compare("x * y", x="i32[n]", y="f32[n]", systems=("numpy", "jax"))
    numpy  f64[n]
    jax    f32[n]
    """
    text = _keywords.readable(text)
    answer, stated = Comparison(), _keywords.types("compare", text, types, named)
    for system in (systems,) if isinstance(systems, str) else systems:
        found = check(text, stated, system=system)
        answer[system] = CheckError(found.errors) if found.errors else [kind for _, kind in found.results]
    return answer


def systems(*, historical: bool = False) -> list[str]:
    """The names of the promotion systems; of older versions of libraries too, if ``historical``."""
    return [name for name, current in _arrlang.systems() if current or historical]


def codes() -> list[tuple[str, str, str]]:
    """``(code, name, summary)`` of all that may be found."""
    return _arrlang.codes()


def __getattr__(name: str):
    if name == "function":
        from ._function import function

        return globals().setdefault("function", function)
    if name[:1].isupper():
        try:
            return warning_class(name)
        except AttributeError:
            pass
    raise AttributeError(f"module 'arrlang' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell) -> None:
    """``%load_ext arrlang``"""
    from ._magic import load

    load(shell)
