from collections.abc import Callable, Mapping
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

__version__: str

class Edit:
    start: int
    end: int
    replacement: str

class Fix:
    text: str
    edits: tuple[Edit, ...]
    keeps_values: bool
    def apply(self, text: str) -> str: ...

class Diagnostic:
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

class Diagnostics(list[Diagnostic]):
    results: list[tuple[str | None, str]]
    @property
    def errors(self) -> list[Diagnostic]: ...

class _Found(Exception):
    diagnostics: Diagnostics
    exit: int
    code: str | None
    name: str | None
    message: str
    span: tuple[int, int] | None
    fixes: tuple[Fix, ...]

class CheckError(_Found, TypeError): ...
class RunError(_Found, RuntimeError): ...

class ArrWarning(UserWarning):
    diagnostic: Diagnostic | None

class Kernel:
    @property
    def text(self) -> str: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def outputs(self) -> list[str | None]: ...
    @property
    def dtype(self) -> Any: ...
    @property
    def shape(self) -> Any: ...
    @property
    def meta(self) -> Any: ...
    @property
    def signature(self) -> str: ...
    def __call__(
        self,
        *args: ArrayLike,
        out: np.ndarray | tuple[np.ndarray, ...] | None = None,
        threads: int | None = None,
        copy: bool | None = None,
        **named: ArrayLike,
    ) -> Any: ...

class Explanation(str): ...

class Comparison(dict[str, list[str] | CheckError]):
    @property
    def agree(self) -> bool: ...

def evaluate(
    ex: str,
    local_dict: Mapping[str, Any] | None = None,
    global_dict: Mapping[str, Any] | None = None,
    out: np.ndarray | None = None,
    order: str = "K",
    casting: str = "safe",
    *,
    system: str | None = None,
    mode: str | None = None,
    width: int | None = None,
    checked: bool = False,
    threads: int | None = None,
    copy: bool | None = None,
    sanitize: Any = None,
    optimization: Any = None,
    truediv: Any = None,
    **names: Any,
) -> Any: ...
def compile(
    text: str,
    types: Mapping[str, Any] | None = None,
    /,
    *,
    system: str | None = None,
    mode: str | None = None,
    width: int | None = None,
    checked: bool = False,
    threads: int | None = None,
    **named: Any,
) -> Kernel: ...
def check(
    text: str,
    types: Mapping[str, Any] | None = None,
    /,
    *,
    system: str | None = None,
    mode: str | None = None,
    width: int | None = None,
    checked: bool = False,
    name: str = "<arr>",
    **named: Any,
) -> Diagnostics: ...
def promote(*operands: Any, system: str = "numpy", op: str = "+") -> np.dtype[Any]: ...
def result_type(*operands: Any, system: str = "numpy") -> np.dtype[Any]: ...
def explain(
    subject: str, *types: Any, system: str | None = None, mode: str | None = None, op: str = "+", **named: Any
) -> Explanation: ...
def compare(text: str, *, systems: tuple[str, ...] = ..., **types: Any) -> Comparison: ...
def systems(*, historical: bool = False) -> list[str]: ...
def codes() -> list[tuple[str, str, str]]: ...
@overload
def function(wrapped: Callable[..., Any], /) -> Any: ...
@overload
def function(wrapped: None = None, /, **options: Any) -> Callable[[Callable[..., Any]], Any]: ...
def set_threads(count: int) -> int: ...
def release_memory(most: int = 0) -> None: ...
def warning_class(name: str) -> type[ArrWarning]: ...
def __getattr__(name: str) -> type[ArrWarning]: ...
