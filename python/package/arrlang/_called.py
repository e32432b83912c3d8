"""Calls in the source of a ``@function``: which function of the language each of them means."""

from __future__ import annotations

import ast
import cmath
import functools
import math
import types

import numpy as np

from . import _arrays, _arrlang

#: Libraries whose functions are those of the language that have their names.
_OTHERS = {"arrlang", "builtins", "jax", "scipy", "tensorflow", "torch"}
#: Types of Python as dtypes of NumPy.
_OF_PYTHON = {"float": float, "int": int, "bool": bool, "complex": complex}
#: Where functions of NumPy take a dtype by position.
_DTYPE_PLACES = {
    "array": 1, "asarray": 1, "cumprod": 2, "cumsum": 2, "empty": 1, "empty_like": 1, "eye": 3, "full": 2, "full_like": 2,
    "identity": 1, "mean": 2, "ones": 1, "ones_like": 1, "prod": 2, "sum": 2, "zeros": 1, "zeros_like": 1,
}
_WHOLE = (
    "there are no loops within brackets: write it for whole arrays, as in np.sum(x * y) or np.where(x > 0, x, 0); "
    "steps that need the one before are `scan` or `repeat` in a text for evaluate"
)


def refused(node: ast.AST) -> str | None:
    """What to write for an expression that the language does not have."""
    match node:
        case ast.IfExp():
            return "write np.where(condition, a, b): an array is neither true nor false"
        case ast.Lambda():
            return "a function within an expression is not taken"
        case ast.GeneratorExp() | ast.ListComp() | ast.SetComp() | ast.DictComp():
            return _WHOLE
        case ast.JoinedStr():
            return "there is no text: return the numbers, and put them into words where the function is called"
        case ast.Dict() | ast.Set():
            return "there are no dictionaries and sets: several results are a tuple, return a, b, and get names where it is called"
        case ast.NamedExpr(target, value):
            return f"a name has a line of its own: {ast.unparse(target)} = {ast.unparse(value)}"
    return None


def stays_behind_numpy(name: str, value) -> bool:
    """Whether a name of NumPy is neither a function, a dtype nor a number, as ``np.r_`` and ``np.random``: behind its module it
    has advice."""
    return name not in ("linalg", "fft") and not callable(value) and not isinstance(value, (int, float, complex, np.generic, type(None)))


def constant(value) -> str | None:
    """A number as a constant of the text: of Python's own it is weak, of NumPy's it has its dtype."""
    if not isinstance(value, np.generic):
        return _arrlang.number_text(value)
    if value.dtype.name not in _arrays._SHORT:
        return None
    text = _arrlang.number_text(value.item() if value.dtype.kind in "biufc" else float(value))
    return text if value.dtype == bool else f"{_arrays.dtype_text(value.dtype)}({text})"


def of_one_number(node: ast.Call) -> str | None:
    """``float``, ``int`` or ``complex`` of one value that is no text."""
    match node:
        case ast.Call(ast.Name("float" | "int" | "complex"), [ast.Constant(str())], []):
            return None
        case ast.Call(ast.Name("float" | "int" | "complex" as name), [value], []) if not isinstance(value, ast.Starred):
            return name
    return None


def refused_method(wrapped, parameters: tuple[ast.arg, ...]) -> str | None:
    """What to write for a function that stands in a class and takes an object of it."""
    place = wrapped.__qualname__.rpartition(".")[0]
    if not place or place.endswith("<locals>") or not parameters or parameters[0].arg not in ("self", "cls"):
        return None
    return f"a method is not taken, as {parameters[0].arg} is no array: write a function of arrays, and call it in the method"


def refused_name(name: str, value) -> str | None:
    """What to write for a name around a function that no text has, such as an array or an object of settings."""
    if value is None or callable(value) or isinstance(value, (types.ModuleType, np.dtype)) or constant(value) is not None:
        return None
    is_array = isinstance(value, (np.ndarray, list, tuple, str)) or hasattr(value, "__array__")
    parts = "" if is_array else ", or give a number that is within a name of its own"
    return f"{name} is no number, and only numbers are taken from around a function: make it a parameter{parts}"


def is_name(node: ast.expr) -> bool:
    """Whether it is a name alone."""
    return isinstance(node, ast.Name)


def unpacks(names: list[ast.expr], value: ast.expr) -> bool:
    """Whether names are given to what one value has in it."""
    return bool(names) and all(map(is_name, names)) and not isinstance(value, (ast.Tuple, ast.List))


def is_tuple(node: ast.expr, tuples: set[str]) -> bool:
    """Whether its value is a tuple, however many parts it has; ``tuples`` are names of such."""
    match node:
        case ast.Tuple() | ast.Attribute(_, "shape") | ast.Call(ast.Attribute(_, "nonzero")):
            return True
        case ast.Name(name):
            return name in tuples
        case ast.Subscript(base, ast.Slice()):
            return is_tuple(base, tuples)
    return False


def own_name(name: str, value) -> str | None:
    """What the language calls a function that has a name around the source; ``None`` for one that is not the language's."""
    if isinstance(value, type) and issubclass(value, np.generic):
        return _arrays.dtype_text(np.dtype(value))
    if any(vars(module).get(name) is value for module in (np, np.linalg, math, cmath)):
        return name
    module = (getattr(value, "__module__", None) or "").split(".")[0]
    if isinstance(value, np.ufunc) or module in ("numpy", "math", "cmath"):
        return getattr(value, "__name__", name)
    is_own = isinstance(value, (types.FunctionType, types.MethodType, type, functools.partial)) or hasattr(value, "__wrapped__")
    return None if is_own and module not in _OTHERS else name


def of_numpy(name: str) -> ast.expr:
    """A name of the language, whatever the source calls so."""
    return ast.Attribute(ast.Name("numpy", ast.Load()), name, ast.Load())


def with_dtypes(node: ast.Call, own: dict, outside: dict) -> ast.Call:
    """A call with dtypes as the language writes them, in the place of ``float`` and of names and texts that NumPy takes."""

    def written(one: ast.expr) -> ast.expr:
        match one:
            case ast.Constant(str(value)):
                pass
            case ast.Name(name) if name not in own:
                value = outside.get(name, _OF_PYTHON.get(name))
            case _:
                return one
        try:
            return one if value is None else of_numpy(_arrays.dtype_text(np.dtype(value)))
        except TypeError:
            return one

    is_cast = isinstance(node.func, ast.Attribute) and node.func.attr == "astype" and len(node.args) == 1
    args = [written(node.args[0])] if is_cast else node.args
    match node.func:
        case ast.Attribute(ast.Name(base), name) if base not in own and len(args) == _DTYPE_PLACES.get(name, -1) + 1:
            dtype = written(args[-1])
            if dtype is not args[-1]:
                return ast.Call(node.func, args[:-1], [*node.keywords, ast.keyword("dtype", dtype)])
    keywords = [ast.keyword(one.arg, written(one.value)) if one.arg == "dtype" else one for one in node.keywords]
    return ast.Call(node.func, args, keywords)


def from_first(node: ast.Call, name: str, operator: ast.operator) -> ast.expr:
    """``sum`` of Python and ``math.prod``: what they make of the parts of an array along its first axis, and of what they begin
    with."""
    begin = [*node.args[1:], *(one.value for one in node.keywords)]
    if not node.args or len(begin) > 1 or any(one.arg != "start" for one in node.keywords):
        return node
    folded = ast.Call(of_numpy(name), node.args[:1], [ast.keyword("axis", ast.Constant(0))])
    return ast.BinOp(begin[0], operator, folded) if begin else folded
