"""``@arrlang.function``: a Python function of array expressions, taken from its source."""

from __future__ import annotations

import ast
import copy
import functools
import inspect
import json
import re
import textwrap
import types

import numpy as np

from . import Diagnostics, Kernel, _again, _arrays, _arrlang, _called, _keywords, _options, check, compile

#: Modules whose functions the language has under the same names.
_MODULES = {"np", "numpy", "jnp", "math", "arr"}
_LIBRARIES = {"numpy", "jax.numpy", "math", "cmath", "arrlang"}
_DTYPES = {**{long: short for long, short in _arrays._SHORT.items() if long != short}, "bool_": "bool"}
_OF_PYTHON = {"float": "f64", "int": "i64", "bool": "bool", "complex": "c128"}
#: Functions and methods whose result is an array of its own, beside the ufuncs.
_NEW = {
    "abs", "all", "any", "arange", "argsort", "array", "astype", "clip", "concatenate", "copy", "cross", "cumprod", "cumsum",
    "diff", "dot", "empty", "empty_like", "full", "full_like", "hstack", "interp", "inner", "linspace", "max", "mean", "median",
    "min", "ones", "ones_like", "outer", "prod", "round", "stack", "std", "sum", "tile", "var", "vstack", "where", "zeros",
    "zeros_like",
}
#: Annotations that leave the type to the call.
_OPEN = {"ndarray", "ArrayLike", "Array", "Tensor", "Any", "object"}


def _wrong(node: ast.AST, name: str, what: str) -> TypeError:
    return TypeError(f"{name}, line {getattr(node, 'lineno', '?')}: {what}")


class _Names(ast.NodeTransformer):
    """Expressions of Python as the language writes them."""

    def __init__(self, source: _Source) -> None:
        self.source = source

    def visit_Name(self, node: ast.Name) -> ast.AST:
        own = self.source.own_name(node.id)
        what = None if node.id in self.source.renamed else _called.refused_name(node.id, self.source.outside.get(node.id))
        if what is not None:
            raise _wrong(node, self.source.name, what)
        return ast.Name(own, node.ctx)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        module = self.source.module(node.value)
        if module is None:
            return self.generic_visit(node)
        value = getattr(module, node.attr, None) if isinstance(module, types.ModuleType) else None
        if isinstance(value, type) and issubclass(value, np.generic):
            return ast.Name(_arrays.dtype_text(np.dtype(value)), node.ctx)
        if isinstance(value, float) and node.attr not in ("pi", "tau", "inf", "nan"):
            return ast.Name(_arrlang.number_text(value), node.ctx)
        if module is np and _called.stays_behind_numpy(node.attr, value):
            return _called.of_numpy(node.attr)
        return ast.Name(_DTYPES.get(node.attr, node.attr), node.ctx)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        number = self.source.of_math(node)
        if number is None and (kind := self.source.number_kind(node)) is not None:
            return ast.Call(kind, [self.visit(node.args[0])], [])
        return self.generic_visit(self.source.called(node)) if number is None else ast.Name(number, ast.Load())

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str):
            # Strings of the language have double quotes.
            return ast.Name(json.dumps(node.value, ensure_ascii=False), ast.Load())
        if isinstance(node.value, (bool, float, complex)):
            return ast.Name(_arrlang.number_text(node.value), ast.Load())
        return node

    def visit(self, node: ast.AST) -> ast.AST:
        what = _called.refused(node)
        if what is not None:
            raise _wrong(node, self.source.name, what)
        return super().visit(node)


class _Source:
    """A function's source as a text of the language. Names that mean something there, or that stand behind a module here, get
    another spelling, so that each name is what it is in Python."""

    def __init__(self, wrapped) -> None:
        self.name = wrapped.__qualname__
        self.node = self._parsed(wrapped)
        spec = self.node.args
        if spec.vararg or spec.kwarg or spec.defaults or any(spec.kw_defaults):
            raise _wrong(self.node, self.name, "parameters have a name and a type, and no default: a call gives all of them")
        found = inspect.getclosurevars(wrapped)
        self.outside = {**found.globals, **found.nonlocals}
        nodes = list(ast.walk(self.node))
        self.attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        self.written = {node.id for node in nodes if isinstance(node, ast.Name)}
        parameters = (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)
        if (what := _called.refused_method(wrapped, parameters)) is not None:
            raise _wrong(self.node, self.name, what)
        self.renamed: dict[str, str] = {}
        #: Names that are numbers of Python, whatever the arguments are, and names whose arrays have no other name.
        self.known: dict[str, object] = {}
        self.alone: set[str] = set()
        self.tuples: set[str] = set()
        self.types = {one.arg: self._type(one.annotation) for one in parameters}
        # In `input` lines, names of dimensions hide parameters without a type.
        is_open = not all(self.types.values())
        self.used = {word for kind in self.types.values() if kind and is_open for word in re.findall(r"\w+", kind)}
        self.numbers: list[str] = []
        self.lines: list[str] = []
        for one in parameters:
            self.renamed[one.arg] = self._fresh(one.arg)
        self.names = dict(self.renamed)
        self.one_of_many = False
        self._body()
        inputs = []
        if not all(self.types.values()):
            inputs = [f"input {self.names[name]}: {kind}" for name, kind in self.types.items() if kind]
        self.text = "\n".join([*inputs, *self.numbers, *self.lines])

    def _parsed(self, wrapped) -> ast.FunctionDef:
        try:
            source = textwrap.dedent(inspect.getsource(wrapped))
            tree = ast.parse(source)
        except (OSError, TypeError, SyntaxError):
            raise TypeError(f"{self.name}: its source is not there, and the function is taken from its source") from None
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
        node = next((node for node in ast.walk(tree) if isinstance(node, kinds)), None)
        if isinstance(node, ast.AsyncFunctionDef):
            raise _wrong(node, self.name, "a function that waits is not taken: write def without async")
        if isinstance(node, ast.Lambda):
            raise TypeError("a lambda has no types of its own; compile its expression with arrlang.compile")
        if node is None:
            raise TypeError(f"{self.name}: a function is taken, written with def")
        return node

    def _type(self, annotation: ast.expr | None) -> str | None:
        if annotation is None:
            return None
        if isinstance(annotation, ast.Constant):
            if isinstance(annotation.value, str):
                return annotation.value
            written = repr(annotation.value)
        else:
            written = ast.unparse(annotation)
        last = written.split(".")[-1]
        match annotation:
            case ast.Subscript(ast.Name("Annotated") | ast.Attribute(_, "Annotated"), ast.Tuple([_, ast.Constant(str(kind)), *_])):
                return kind
        if isinstance(annotation, (ast.Name, ast.Attribute)):
            if last in _OPEN:
                return None
            if isinstance(annotation, ast.Name) and last in _OF_PYTHON:
                return _OF_PYTHON[last]
            kind = _DTYPES.get(last, last)
            if kind in _arrays._SHORT.values():
                return kind
        hint = '"f64[n]" or "f64[m, n]", as it has no shape' if "NDArray" in written else '"f32[n]", or np.float32 for a number'
        raise _wrong(annotation, self.name, f"the annotation {written} is no type: write {hint}")

    def _fresh(self, name: str) -> str:
        """A spelling that means nothing else in the text."""
        own, count = name, 1
        while own in self.used or own in self.attributes or _arrlang.is_word(own) or own != name and own in self.written:
            count += 1
            own = f"{name}_{count}"
        self.used.add(own)
        return own

    def own_name(self, name: str) -> str:
        """A name of Python as the text spells it; a number around the function becomes a constant of the text."""
        if name not in self.renamed and name in self.outside:
            text = _called.constant(self.outside[name])
            if text is not None:
                self.renamed[name] = self._fresh(name)
                self.known[name] = self.outside[name]
                self.numbers.append(f"let {self.renamed[name]} = {text}")
        return self.renamed.get(name, name)

    def module(self, node: ast.expr):
        """The module that a name stands for, or its name where nothing is known of it."""
        if not isinstance(node, ast.Name) or node.id in self.renamed:
            return None
        value = self.outside.get(node.id, node.id)
        if isinstance(value, types.ModuleType):
            return value if value.__name__ in _LIBRARIES else None
        return value if value in _MODULES and isinstance(value, str) else None

    def _expression(self, node: ast.expr) -> str:
        return ast.unparse(ast.fix_missing_locations(_Names(self).visit(node)))

    def of_math(self, node: ast.Call) -> str | None:
        """The number that a function of the module math makes of numbers alone, as Python computes it."""
        if not isinstance(node.func, ast.Attribute) or not self._is_math(node.func.value) or not self._is_known(node):
            return None
        try:
            text = _arrlang.number_text(self._computed(node))
        except (ArithmeticError, TypeError, ValueError) as error:
            raise _wrong(node, self.name, f"{ast.unparse(node)}: {error}") from None
        return f"({text})" if text and text.startswith("-") else text

    def number_kind(self, node: ast.Call) -> ast.expr | None:
        """What makes a number of Python of a scalar: ``float``, ``int`` and ``complex``."""
        name = _called.of_one_number(node)
        if name is None or name in self.renamed or name in self.outside:
            return None
        if not self._is_known(node.args[0]):
            made = self._expression(copy.deepcopy(node.args[0]))
            self._assert(f"({made}).ndim == 0", f"{ast.unparse(node)} is of one number")
        # Behind `math`, which is a name of the text's own, it is a number of Python, which is weak.
        return ast.Attribute(ast.Name("math", ast.Load()), _OF_PYTHON[name], ast.Load())

    def called(self, node: ast.Call) -> ast.expr:
        """A call as the language writes it."""
        node = _called.with_dtypes(node, self.renamed, self.outside)
        match node.func:
            case ast.Name(name) if name in self.outside and name not in self.renamed:
                own = _called.own_name(name, self.outside[name])
                if own is None:
                    raise _wrong(node.func, self.name, f"{name} is a function of Python, which is not taken: write here what it does")
                return node if own == name else ast.Call(_called.of_numpy(own), node.args, node.keywords)
            case ast.Name("print") if "print" not in self.renamed:
                raise _wrong(node.func, self.name, "nothing is printed within: return the value, and print what a call gives")
            case ast.Name("sum") if "sum" not in self.renamed:
                return _called.from_first(node, "sum", ast.Add())
            case ast.Attribute(base, "prod") if self._is_math(base):
                return _called.from_first(node, "prod", ast.Mult())
        return node

    def _is_math(self, node: ast.expr) -> bool:
        return getattr(self.module(node), "__name__", None) in ("math", "cmath")

    def _is_known(self, node: ast.expr) -> bool:
        """Whether it is made of numbers alone, with signs, arithmetic and functions of the module math."""
        match node:
            case ast.Constant(value):
                return isinstance(value, (int, float, complex))
            case ast.Name(name):
                return name in self.known if name in self.renamed else _called.constant(self.outside.get(name)) is not None
            case ast.Attribute(base):
                return self._is_math(base)
            case ast.UnaryOp(ast.UAdd() | ast.USub(), operand):
                return self._is_known(operand)
            case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult() | ast.Div() | ast.FloorDiv() | ast.Mod(), right):
                return self._is_known(left) and self._is_known(right)
            case ast.List(items) | ast.Tuple(items):
                return all(map(self._is_known, items))
            case ast.Call(ast.Attribute(base), args, keywords):
                return self._is_math(base) and all(map(self._is_known, [*args, *(one.value for one in keywords)]))
        return False

    def _computed(self, node: ast.expr):
        """What Python computes."""
        return eval(ast.unparse(node), {"__builtins__": {}}, {**self.outside, **self.known})

    def _is_new(self, node: ast.expr) -> bool:
        """Whether its value is a number, or an array that no name has."""
        match node:
            case ast.Constant() | ast.BinOp() | ast.Compare() | ast.UnaryOp():
                return True
            case ast.Call(ast.Name("abs")):
                return True
            case ast.Call(ast.Attribute(base, name), _, keywords) if not any(one.arg in ("copy", "out") for one in keywords):
                module = self.module(base)
                is_ufunc = isinstance(module, types.ModuleType) and isinstance(getattr(module, name, None), np.ufunc)
                # Arrays of JAX never change.
                return is_ufunc or name in _NEW or getattr(module, "__name__", None) in ("math", "cmath", "jax.numpy")
        return False

    def _assign(self, targets: list[str], values: list[ast.expr]) -> None:
        """Gives names new meanings, all of them after the values."""
        made = []
        for value in values:
            known, is_new = None, self._is_new(value)
            if self._is_known(value):
                try:
                    known = self._computed(value)
                except (ArithmeticError, TypeError, ValueError):
                    pass
            if not is_new:
                # The name may be one more for the arrays of these names.
                self.alone -= {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
            is_tuple = _called.is_tuple(value, self.tuples)
            made.append((self._expression(value), known, is_new, is_tuple))
        for name, (text, known, is_new, is_tuple) in zip(targets, made):
            own = self._fresh(name)
            self.lines.append(f"let {own} = {text}")
            self.renamed[name] = own
            self.known.pop(name, None)
            self.alone.discard(name)
            (self.tuples.add if is_tuple else self.tuples.discard)(name)
            if isinstance(known, (int, float, complex, np.generic)):
                self.known[name] = known
            if is_new:
                self.alone.add(name)

    def _unpack(self, targets: list[str], value: ast.expr) -> None:
        """Gives names to several results of one value, such as a call that returns a tuple."""
        self.alone -= {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
        text = self._expression(value)
        own = [self._fresh(name) for name in targets]
        self.lines.append(f"let ({', '.join(own)}{',' if len(own) == 1 else ''}) = {text}")
        for name, spelled in zip(targets, own):
            self.renamed[name] = spelled
            self.known.pop(name, None)
            self.alone.discard(name)
            self.tuples.discard(name)

    def _update(self, stmt: ast.AugAssign, name: str) -> None:
        """`t += x`: of a number it makes another. An array changes in its place, which is the same where no other name has it,
        and where its dtype and shape stay."""
        value = ast.BinOp(ast.Name(name, ast.Load()), stmt.op, stmt.value)
        if name in self.known or name not in self.renamed:
            return self._assign([name], [value])
        written, own = ast.unparse(stmt), self.renamed[name]
        if name in self.alone:
            made = self._expression(copy.deepcopy(value))
            stays = f"({made}).dtype == {own}.dtype and ({made}).shape == {own}.shape"
            self._assert(f"{own}.ndim == 0 or {stays}", f"{written} keeps the dtype and the shape of {name}")
        else:
            instead = f"{name} = {ast.unparse(value)}"
            what = f"{written} would change an array that may have another name: write {instead}"
            if "[" in (self.types.get(name) or "") and own == self.names[name]:
                raise _wrong(stmt, self.name, what)
            self._assert(f"{own}.ndim == 0", what)
        self._assign([name], [value])

    def _assert(self, text: str, message: str) -> None:
        self.lines.append(f"assert {text}  # {json.dumps(message)}")

    def _body(self) -> None:
        body = self.node.body
        for at, stmt in enumerate(body):
            self._statement(stmt, last=at == len(body) - 1, first=at == 0)
        if not isinstance(body[-1], ast.Return):
            raise _wrong(body[-1], self.name, "there is no return at the end, so nothing comes out")

    def _statement(self, stmt: ast.stmt, last: bool, first: bool) -> None:
        match stmt:
            case ast.Expr(ast.Constant(str())) if first:
                pass
            case ast.Assign([ast.Name(name)], value):
                self._assign([name], [value])
            case ast.Assign([ast.Tuple(names)], ast.Tuple(values)) if len(names) == len(values) and all(map(_called.is_name, names)):
                self._assign([one.id for one in names], values)
            case ast.Assign([ast.Tuple(names) | ast.List(names)], value) if _called.unpacks(names, value):
                self._unpack([one.id for one in names], value)
            case ast.Assign(names, value) if all(map(_called.is_name, names)):
                first, *others = (one.id for one in names)
                self._assign([first], [value])
                for other in others:
                    self._assign([other], [ast.Name(first, ast.Load())])
            case ast.AnnAssign(ast.Name(name), _, value):
                if value is not None:
                    self._assign([name], [value])
            case ast.AugAssign(ast.Name(name)):
                self._update(stmt, name)
            case ast.Assign([target, *_]) | ast.AnnAssign(target) | ast.AugAssign(target):
                what = f"{ast.unparse(target)} is no name: names are assigned to, and as many at once as there are values"
                raise _wrong(stmt, self.name, what)
            case ast.Return(ast.Tuple([])) | ast.Return(None):
                raise _wrong(stmt, self.name, "the return has no value")
            case ast.Return(ast.List(items)) if last:
                several = ast.unparse(ast.Tuple(items, ast.Load()))
                what = f"a list is one array here: return {several} for several results, or np.stack for one array"
                raise _wrong(stmt, self.name, what)
            case ast.Return(value) if last:
                values = value.elts if isinstance(value, ast.Tuple) else [value]
                self.one_of_many = len(values) == 1 and _called.is_tuple(value, self.tuples)
                self.lines.extend(map(self._expression, values))
            case ast.Return():
                raise _wrong(stmt, self.name, "the return is the last statement, and there is one")
            case ast.Assert(test, None):
                self.lines.append(f"assert {self._expression(test)}")
            case ast.Assert(test, ast.Constant(str(message)) | message):
                # The language has no message: it stands beside, where the line is shown.
                self._assert(self._expression(test), message if isinstance(message, str) else ast.unparse(message))
            case _:
                if isinstance(stmt, ast.Expr):
                    self._expression(stmt.value)  # What stands in it may have advice of its own.
                what = "value alone" if isinstance(stmt, ast.Expr) else type(stmt).__name__.lower()
                raise _wrong(stmt, self.name, f"assignments to names and one return at the end are taken, no {what}")


class Function:
    """A Python function whose arithmetic runs as a kernel. ``text`` is what it became, ``kernel`` is there when every
    parameter has a type; without, it is compiled for what it is called with."""

    def __init__(self, wrapped, options: dict) -> None:
        source = _Source(wrapped)
        functools.update_wrapper(self, wrapped)
        self._become(source.text, source.names, source.types, source.one_of_many, options)
        if self.kernel is not None:
            # Warns of what is found, where the function stands.
            compile(self.text, self._stated(), **options)

    def _become(self, text: str, own: dict, kinds: dict, one_of_many: bool, options: dict) -> None:
        self.text, self.types, self.options = text, kinds, options
        self.names = list(own)
        self._own, self._one_of_many = own, one_of_many
        self._other = {name: spelled for name, spelled in own.items() if name != spelled}
        rules = {key: value for key, value in options.items() if key != "threads"}
        self._rules = _options(**{"system": None, "mode": None, "width": None, "checked": False, **rules})
        self.__signature__ = _keywords.signature(list(kinds.items()))
        self.kernel: Kernel | None = None
        if all(kinds.values()):
            stated = [(name, kind, None) for name, kind in self._stated().items()]
            self.kernel = _again(text, stated, self._rules, options.get("threads"))

    def _stated(self) -> dict:
        """The types that it says, by the names of its text."""
        return {self._own[name]: kind for name, kind in self.types.items() if kind}

    def __call__(self, *args, out=None, threads=None, copy=None, **named):
        if self._other and named:
            named = {self._own.get(name, name): value for name, value in named.items()}
        if self.kernel is not None:
            made = self.kernel(*args, out=out, threads=threads, copy=copy, **named)
        else:
            made = self._evaluated(args, named, out, threads, copy)
        is_one = self._one_of_many and not isinstance(made, tuple)
        return made if not is_one else () if made is None else (made,)

    def _evaluated(self, args, named, out, threads, copy):
        """What it gives for arrays of which it does not say all types."""
        own = self._own.values()
        if len(args) > len(own):
            raise TypeError(f"{self.__name__} takes {len(own)} arrays, and {len(args)} were given")
        given = {**dict(zip(own, args)), **named}
        if len(given) != len(own) or len(named) + len(args) != len(own) or any(name not in given for name in own):
            raise TypeError(f"{self.__name__} takes {', '.join(self.names)}")
        if threads is None:
            threads = self.options.get("threads")
        return _arrlang.evaluate(self.text, [given], self._rules, out, threads, copy)

    def check(self, **types) -> Diagnostics:
        """What is found in it, for types where it has none of its own."""
        options = {key: value for key, value in self.options.items() if key != "threads"}
        for name in types:
            if name not in self._own:
                raise TypeError(f"{self.__name__} takes {', '.join(self.names)}, and no {name}")
        return check(self.text, {**self._stated(), **{self._own[name]: kind for name, kind in types.items()}}, **options)

    def __repr__(self) -> str:
        what = self.kernel.signature if self.kernel else f"({', '.join(self.names)})"
        return f"<arrlang.function {self.__name__}{what}>"

    def _key(self) -> tuple:
        return self.text, tuple(self._own.items()), tuple(self.types.items()), self._one_of_many, tuple(sorted(self.options.items()))

    def __eq__(self, other) -> bool:
        return self._key() == other._key() if isinstance(other, Function) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self):
        named = self.__module__, self.__name__, self.__qualname__, self.__doc__
        return _restored, (named, self.text, self._own, self.types, self._one_of_many, self.options)

    def __dask_tokenize__(self):
        return "arrlang.function", *self._key()

    def __getattr__(self, name: str):
        kernel = self.__dict__.get("kernel")
        if kernel is not None and name in ("dtype", "shape", "meta", "signature", "outputs"):
            return getattr(kernel, name)
        raise AttributeError(name)


def _restored(named, text, own, kinds, one_of_many, options) -> Function:
    made = Function.__new__(Function)
    made.__module__, made.__name__, made.__qualname__, made.__doc__ = named
    made._become(text, own, kinds, one_of_many, options)
    return made


def function(wrapped=None, /, **options):
    """A Python function as a kernel, from its source: assignments to names, assertions and one return.

    Types stand in the annotations, ``x: "f32[n]"``, or ``x: Annotated[np.ndarray, "f32[n]"]`` for mypy; a function without some
    of them is compiled for what it is called with. ``np.``, ``math.`` and ``jnp.`` are dropped; numbers around the function are taken as they are:
    those of NumPy have their dtypes. Options are those of ``compile``.

    >>> @function
    ... def softplus(x: "f32[n]"):                            # doctest: +SKIP
    ...     return np.log1p(np.exp(-abs(x))) + np.maximum(x, 0)
    """
    for name in options:
        if name not in _keywords.OF_A_TEXT:
            _keywords.unknown("function", name, options=_keywords.OF_A_TEXT)
    if wrapped is None:
        return lambda wrapped: function(wrapped, **options)
    if not isinstance(wrapped, types.FunctionType):
        raise TypeError(f"a Python function is taken, not of type {type(wrapped).__name__}")
    return Function(wrapped, options)
