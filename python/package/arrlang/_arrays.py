"""Whatever holds numbers, as an array of NumPy that the extension takes."""

from __future__ import annotations

import cmath
import operator
import sys

import numpy as np


def native(value, copy: bool | None = None) -> np.ndarray:
    """An array in the order of bytes of this machine; with ``copy=False`` only if it is one already."""
    array = _array(value, copy)
    if not array.dtype.isnative:
        if copy is False:
            raise ValueError(f"{array.dtype} has the byte order of another machine: it takes a copy")
        array = array.astype(array.dtype.newbyteorder("="))
    if copy and array is value:
        array = array.copy()
    return array.view(np.ndarray) if type(array) is not np.ndarray else array


def _array(value, copy: bool | None):
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError("a masked array has elements that are none: pass x.filled(...), or x.data and x.mask")
    if isinstance(value, np.ndarray):
        return value
    if (torch := loaded("torch")) is not None and isinstance(value, torch.Tensor):
        return _of_torch(value, copy, torch)
    # Arrow's capsules are of a version that it warns of.
    if hasattr(value, "__dlpack__") and not hasattr(value, "__array_namespace_info__") and not _named(value).startswith("pyarrow."):
        made = _dlpack(value)
        if made is not None:
            return made
    if copy is False and isinstance(value, (list, tuple)):
        raise ValueError(f"a {type(value).__name__} has no memory to share: it takes a copy")
    if copy is False:
        made = _shared(value)
    else:
        try:
            made = np.asarray(value)
        except (TypeError, ValueError) as error:
            raise TypeError(f"a {_named(value)} is no array: {error}") from None
    if made.dtype == object:
        raise TypeError(f"a {_named(value)} of objects is no array of numbers")
    return made


def _shared(value) -> np.ndarray:
    """The array over the memory of a value. Some libraries copy although they are asked not to: then there are two memories."""
    ask = {"copy": False} if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else {}
    try:
        made, again = np.asarray(value, **ask), np.asarray(value, **ask)
    except Exception as error:  # Each library has its own.
        raise ValueError(f"a {_named(value)} is not taken where it lies, it takes a copy: {error}") from None
    if made.size and made.__array_interface__["data"] != again.__array_interface__["data"]:
        raise ValueError(f"a {_named(value)} is not taken where it lies: it takes a copy")
    return made


def _named(value) -> str:
    """A type with its library: ``polars.Series``."""
    kind = type(value)
    library = kind.__module__.split(".")[0]
    return kind.__name__ if library == "builtins" else f"{library}.{kind.__name__}"


def _of_torch(value, copy: bool | None, torch) -> np.ndarray:
    """A tensor on this processor, without a copy but for one that waits to be conjugated."""
    value = value.detach()
    if value.is_conj() or value.is_neg():
        if copy is False:
            raise ValueError("a tensor that is conjugated or negated when it is read: it takes a copy")
        value = value.resolve_conj().resolve_neg()
    try:
        if value.is_floating_point() and value.element_size() <= 2 and value.dtype != torch.float16:
            bits = value.view(torch.uint8 if value.element_size() == 1 else torch.int16)
            return bits.numpy().view(numpy_dtype(str(value.dtype).removeprefix("torch.")))
        return value.numpy()
    except (TypeError, RuntimeError) as error:
        raise TypeError(f"a tensor of {value.dtype} is no array: {error}") from None


def _dlpack(value):
    """The array of another library on this processor, without a copy; ``None`` where it goes another way."""
    try:
        return np.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError, AttributeError):
        return None


def target(value) -> np.ndarray:
    """What results are written to, as an array over the same memory."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError("`out` is a masked array, whose mask would stay as it is: pass out.data")
    if isinstance(value, np.ndarray):
        return value.view(np.ndarray)
    if getattr(value, "requires_grad", False):
        raise ValueError("`out` is a tensor that needs a gradient: pass out.detach()")
    if hasattr(value, "__dlpack__") or hasattr(value, "__array_interface__"):
        return native(value, False)
    raise TypeError(f"`out` is an array, not a {type(value).__name__}")


def native_only(out) -> None:
    """Raises for memory that takes bytes in the order of another machine, which a result has not."""
    for one in out if isinstance(out, tuple) else (out,):
        if isinstance(one, np.ndarray) and not one.dtype.isnative:
            raise TypeError(f"`out` has the dtype {one.dtype.str}, and the rule 'no' casts nothing, not even the order of bytes")


def cast_into(out: np.ndarray, made, casting: str) -> bool:
    """Writes a result to memory of another dtype or a larger shape, as functions of NumPy do; ``False`` if it does not fit."""
    made = np.asarray(made)
    try:
        np.broadcast_to(made, out.shape)
    except ValueError:
        return False
    np.copyto(out, made, casting=casting)
    return True


def scalar(value, dtype: np.dtype) -> np.ndarray:
    """A number for a scalar input: of Python's own it takes the dtype, of NumPy's it has one."""
    if isinstance(value, (bool, int, float, complex)) and not isinstance(value, np.generic):
        kinds = {bool: "biufcV", int: "iufcV", float: "fcV", complex: "c"}
        if dtype.kind not in kinds[next(kind for kind in (bool, int, float, complex) if isinstance(value, kind))]:
            raise TypeError(f"{value!r} is no {dtype}")
        if isinstance(value, int) and dtype.kind in "iu":
            _fit([value], dtype)
        with np.errstate(all="ignore"):
            made = np.asarray(value, dtype)
        is_finite = isinstance(value, int) or cmath.isfinite(value)
        # Some small floats have no infinity.
        is_lost = not np.isfinite(made) if is_finite else dtype.kind == "V" and np.isnan(made) and not cmath.isnan(value)
        if is_lost:
            raise OverflowError(f"{value!r} does not fit {dtype}")
        return made
    return native(value)


def listed(value, dtype: np.dtype, rank: int) -> np.ndarray:
    """A list of numbers for an input: they take its dtype, if they fit it."""
    natural = np.asarray(value)
    if natural.size == 0 and natural.dtype == np.float64:
        # Nothing is of any dtype.
        return np.empty(natural.shape, dtype)
    if dtype.kind in "iu" and natural.dtype.kind in "fO":
        # Integers of more than 63 bits become floats or objects beside others.
        exact = np.asarray(value, object)
        if all(isinstance(one, (int, np.integer)) for one in exact.flat):
            _fit(exact.flat, dtype)
            return exact.astype(dtype)
    if natural.dtype == object or natural.dtype.kind not in "biufc":
        return native(natural) if natural.dtype.kind == "V" else _array(value, None)
    # bfloat16 is of kind `V`.
    wider = {"b": 0, "i": 1, "u": 1, "f": 2, "V": 2, "c": 3}
    if wider[natural.dtype.kind] > wider[dtype.kind]:
        raise TypeError(f"a list of {natural.dtype} is none of {dtype}")
    if natural.dtype.kind in "iu" and dtype.kind in "iu":
        _fit((natural.min(), natural.max()), dtype)
    with np.errstate(all="ignore"):
        made = natural.astype(dtype)
        lost = np.isfinite(natural) & ~np.isfinite(made) | np.isinf(natural) & np.isnan(made)
    if wider[dtype.kind] > 1 and lost.any():
        raise OverflowError(f"{natural[lost].flat[0]} does not fit {dtype}")
    return made


def _fit(values, dtype: np.dtype) -> None:
    """Raises for an integer that a dtype has not."""
    info = np.iinfo(dtype)
    for value in values:
        if not info.min <= value <= info.max:
            raise OverflowError(f"{value} does not fit {dtype}")


def put(out: np.ndarray, made: np.ndarray) -> None:
    """Copies a result to where it cannot be made: elements that share bytes, or in another order of bytes."""
    np.copyto(out, made, casting="equiv")


def type_text(value) -> str:
    """The type of an array, a dtype or a type as the language writes it: ``f32[3, 4]``."""
    if isinstance(value, str):
        return value
    if is_of_polars(value) and not hasattr(value, "shape"):
        name = str(value).lower().replace("boolean", "bool")
        if name not in _SHORT:
            raise TypeError(f"arr has no dtype {value}")
        return _SHORT[name]
    if isinstance(value, (type, np.dtype)):
        return dtype_text(np.dtype(value))
    if (torch := loaded("torch")) is not None and isinstance(value, torch.dtype):
        return dtype_text(numpy_dtype(str(value).removeprefix("torch.")))
    array = value if isinstance(value, np.ndarray) else _lazily(value)
    sizes = ", ".join(str(operator.index(size)) for size in array.shape)
    return dtype_text(array.dtype) + (f"[{sizes}]" if sizes else "")


def is_of_polars(value) -> bool:
    """Whether it is a thing of polars or one of its types."""
    kind = value if isinstance(value, type) else type(value)
    return kind.__module__.split(".")[0] == "polars"


def _lazily(value):
    """What says its dtype and shape without data, such as an array of dask's; else an array."""
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if isinstance(dtype, np.dtype) and isinstance(shape, tuple) and all(isinstance(size, int) for size in shape):
        return value
    return native(value)


_SHORT = {
    "bool": "bool", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16",
    "uint32": "u32", "uint64": "u64", "float16": "f16",
    "float8_e4m3fn": "f8_e4m3", "float8_e5m2": "f8_e5m2", "bfloat16": "bf16", "float32": "f32", "float64": "f64",
    "complex64": "c64", "complex128": "c128",
}


def dtype_text(dtype: np.dtype) -> str:
    """``f32`` for ``float32``."""
    try:
        return _SHORT[dtype.name]
    except KeyError:
        hint = ": x.view('i8') has its integers" if dtype.kind in "mM" else ""
        raise TypeError(f"arr has no dtype {dtype}{hint}") from None


def numpy_dtype(name: str) -> np.dtype:
    """The dtype of NumPy for one of the language."""
    for long, short in _SHORT.items():
        if short == name or long == name:
            try:
                return np.dtype(long)
            except TypeError:
                import ml_dtypes

                return np.dtype(getattr(ml_dtypes, long))
    raise TypeError(f"there is no dtype {name!r}")


def loaded(module: str):
    """A module that somebody has imported already."""
    return sys.modules.get(module)
