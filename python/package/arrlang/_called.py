"""Calls in the source of a ``@function``: which function of the language each of them means."""

from __future__ import annotations

import ast
import cmath
import functools
import math
import types

import numpy as np

from . import _arrays

#: Libraries whose functions are those of the language that have their names.
_OTHERS = {"arrlang", "builtins", "jax", "scipy", "tensorflow", "torch"}
#: Types of Python as dtypes of NumPy.
_OF_PYTHON = {"float": float, "int": int, "bool": bool, "complex": complex}


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
