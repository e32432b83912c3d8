"""``@arrlang.function``: a Python function of array expressions, taken from its source."""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import textwrap

from . import Diagnostics, Kernel, _arrays, _arrlang, _options, check, compile

#: Modules whose functions the language has under the same names.
_MODULES = {"np", "numpy", "jnp", "math", "arr"}
_DTYPES = {**{long: short for long, short in _arrays._SHORT.items() if long != short}, "bool_": "bool"}


def _wrong(node: ast.AST, name: str, what: str) -> TypeError:
    return TypeError(f"{name}, line {getattr(node, 'lineno', '?')}: {what}")


class _Names(ast.NodeTransformer):
    """Expressions of Python as the language writes them."""

    def __init__(self, function: str, renamed: dict[str, str]) -> None:
        self.function, self.renamed = function, renamed

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self.renamed.get(node.id, node.id), node.ctx)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id in _MODULES and node.value.id not in self.renamed:
            return ast.Name(_DTYPES.get(node.attr, node.attr), node.ctx)
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, bool):
            return ast.Name(str(node.value).lower(), ast.Load())
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        raise _wrong(node, self.function, "write np.where(condition, a, b): an array is neither true nor false")

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        raise _wrong(node, self.function, "a function within an expression is not taken")


class _Source:
    """A function's source as a text of the language."""

    def __init__(self, wrapped) -> None:
        self.name = wrapped.__qualname__
        try:
            source = textwrap.dedent(inspect.getsource(wrapped))
        except (OSError, TypeError):
            raise TypeError(f"{self.name}: its source is not there, and the function is taken from its source") from None
        self.node = next(node for node in ast.walk(ast.parse(source)) if isinstance(node, (ast.FunctionDef, ast.Lambda)))
        if isinstance(self.node, ast.Lambda):
            raise TypeError("a lambda has no types of its own; compile its expression with arrlang.compile")
        spec = self.node.args
        if spec.vararg or spec.kwarg or spec.defaults or any(spec.kw_defaults):
            raise _wrong(self.node, self.name, "parameters have a name and a type, and no default")
        self.names = [one.arg for one in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)]
        self.types = {one.arg: self._type(one.annotation) for one in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
        self.renamed = {name: name for name in self.names}
        self.lines: list[str] = []
        for at, stmt in enumerate(self.node.body):
            self._statement(stmt, last=at == len(self.node.body) - 1, first=at == 0)
        self.text = "\n".join(self.lines)

    def _type(self, annotation: ast.expr | None) -> str | None:
        if annotation is None:
            return None
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            return annotation.value
        written = ast.unparse(annotation).split(".")[-1]
        return _DTYPES.get(written, written)

    def _expression(self, node: ast.expr) -> str:
        return ast.unparse(ast.fix_missing_locations(_Names(self.name, self.renamed).visit(node)))

    def _let(self, name: str, text: str) -> None:
        own, count = name, 2
        while own in self.renamed.values():
            own, count = f"{name}_{count}", count + 1
        self.lines.append(f"let {own} = {text}")
        self.renamed[name] = own

    def _statement(self, stmt: ast.stmt, last: bool, first: bool) -> None:
        match stmt:
            case ast.Expr(ast.Constant(str())) if first:
                pass
            case ast.Assign([ast.Name(name)], value):
                self._let(name, self._expression(value))
            case ast.AnnAssign(ast.Name(name), _, value) if value is not None:
                self._let(name, self._expression(value))
            case ast.AugAssign(ast.Name(name), op, value):
                self._let(name, self._expression(ast.BinOp(ast.Name(name, ast.Load()), op, value)))
            case ast.Return(value) if last and value is not None:
                values = value.elts if isinstance(value, ast.Tuple) else [value]
                self.lines.extend(map(self._expression, values))
            case ast.Assert(test):
                self.lines.append(f"assert {self._expression(test)}")
            case _:
                what = type(stmt).__name__.lower()
                raise _wrong(stmt, self.name, f"assignments to names and one return at the end are taken, no {what}")


class Function:
    """A Python function whose arithmetic runs as a kernel. ``text`` is what it became, ``kernel`` is there when every
    parameter has a type; without, it is compiled for what it is called with."""

    def __init__(self, wrapped, options: dict) -> None:
        source = _Source(wrapped)
        functools.update_wrapper(self, wrapped)
        self.text, self.types, self.options = source.text, source.types, options
        self.names = source.names
        self.numbers = self._outside(wrapped, source)
        self.kernel: Kernel | None = None
        if all(self.types.values()):
            self.kernel = compile(self.text, {**self.types, **self.numbers}, **options)

    @staticmethod
    def _outside(wrapped, source: _Source) -> dict:
        """Numbers that the function uses and that are defined around it, as they are now."""
        found = inspect.getclosurevars(wrapped)
        values = {**found.globals, **found.nonlocals}
        taken = {}
        for name in _arrlang.names_of(source.text):
            value = values.get(name)
            if name not in source.names and isinstance(value, (bool, int, float, complex)) and not hasattr(builtins, name):
                taken[name] = value
        return taken

    def __call__(self, *args, out=None, **named):
        if self.kernel is not None:
            return self.kernel(*args, out=out, **named)
        if len(args) > len(self.names):
            raise TypeError(f"{self.__name__} takes {len(self.names)} arrays, and {len(args)} were given")
        given = {**self.numbers, **dict(zip(self.names, args)), **named}
        missing = [name for name in self.names if name not in given]
        if missing or len(named) + len(args) != len(self.names):
            raise TypeError(f"{self.__name__} takes {', '.join(self.names)}")
        options = dict(self.options)
        threads = options.pop("threads", None)
        rules = _options(**{key: options.get(key) for key in ("system", "mode", "width")}, checked=options.get("checked", False))
        return _arrlang.evaluate(self.text, [given], rules, out, threads, None)

    def check(self, **types) -> Diagnostics:
        """What is found in it, for types where it has none of its own."""
        options = {key: value for key, value in self.options.items() if key != "threads"}
        own = {name: kind for name, kind in self.types.items() if kind}
        return check(self.text, {**self.numbers, **own, **types}, **options)

    def __repr__(self) -> str:
        what = self.kernel.signature if self.kernel else f"({', '.join(self.names)})"
        return f"<arrlang.function {self.__name__}{what}>"

    def __reduce__(self):
        return _restored, (self.__name__, self.__doc__, self.text, self.names, self.types, self.numbers, self.options)

    def __dask_tokenize__(self):
        return "arrlang.function", self.text, tuple(self.types.items()), tuple(self.numbers.items()), tuple(self.options.items())

    def __getattr__(self, name: str):
        kernel = self.__dict__.get("kernel")
        if kernel is not None and name in ("dtype", "shape", "meta", "signature", "outputs"):
            return getattr(kernel, name)
        raise AttributeError(name)


def _restored(name, doc, text, names, types, numbers, options) -> Function:
    made = Function.__new__(Function)
    made.__name__, made.__qualname__, made.__doc__ = name, name, doc
    made.text, made.names, made.types, made.numbers, made.options = text, names, types, numbers, options
    made.kernel = compile(text, {**types, **numbers}, **options) if all(types.values()) else None
    return made


def function(wrapped=None, /, **options):
    """A Python function as a kernel, from its source: assignments to names and one return.

    Types stand in the annotations, ``x: "f32[n]"``; a function without some of them is compiled for what it is called
    with. ``np.``, ``math.`` and ``jnp.`` are dropped; numbers around the function are taken as they are. Options are those of
    ``compile``.

    >>> @function
    ... def softplus(x: "f32[n]"):                            # doctest: +SKIP
    ...     return np.log1p(np.exp(-abs(x))) + np.maximum(x, 0)
    """
    if wrapped is None:
        return lambda wrapped: Function(wrapped, options)
    return Function(wrapped, options)
