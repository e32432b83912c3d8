"""Arrays of PyTorch and JAX on this processor: read where they lie, written with ``out=``, or refused with the reason."""

import numpy as np
import pytest

import arrlang as arr
from arrlang import _arrays

NAMES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float8_e4m3fn", "float8_e5m2", "float16", "bfloat16", "float32", "float64", "complex64", "complex128"]


class Torch:
    """What the tests ask of a library."""

    def __init__(self):
        self.torch = pytest.importorskip("torch")

    def array(self, values, name):
        return self.torch.tensor(values).to(getattr(self.torch, name))

    def address(self, array):
        return array.data_ptr()

    def dtype(self, name):
        return getattr(self.torch, name)


class Jax:
    def __init__(self):
        self.jax = pytest.importorskip("jax")
        self.jax.config.update("jax_enable_x64", True)

    def array(self, values, name):
        return self.jax.numpy.asarray(values, dtype=name)

    def address(self, array):
        return array.unsafe_buffer_pointer()

    def dtype(self, name):
        return getattr(self.jax.numpy, "bool_" if name == "bool" else name)


@pytest.fixture(params=[Torch, Jax], scope="module")
def library(request):
    return request.param()


def numpy_of(values, name):
    return np.asarray(values).astype(_arrays.numpy_dtype(name))


@pytest.mark.parametrize("name", NAMES)
def test_every_dtype_is_read_where_it_lies(library, name):
    if name.startswith(("bfloat", "float8")):
        pytest.importorskip("ml_dtypes")
    values = [[0, 1, 2], [3, 0, 1]]
    x, expected = library.array(values, name), numpy_of(values, name)
    for copy in (None, False):
        made = arr.evaluate("x + x", {"x": x}, copy=copy)
        assert made.dtype == expected.dtype and np.array_equal(made, expected + expected)
    seen = _arrays.native(x, False)
    assert seen.dtype == expected.dtype and seen.__array_interface__["data"][0] == library.address(x)
    k = arr.compile("v", v=library.dtype(name))
    assert k.dtype == expected.dtype and k(library.array(1, name)) == expected.dtype.type(1)


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "int16"])
def test_layouts_numbers_and_nothing(library, name):
    if name == "bfloat16":
        pytest.importorskip("ml_dtypes")
    values = np.arange(12).reshape(3, 4)
    x, expected = library.array(values, name), numpy_of(values, name)
    views = [lambda a: a[:, ::2], lambda a: a[1:, 1], lambda a: a.T, lambda a: a[2, 3], lambda a: a[:0]]
    for view in views:
        made = arr.evaluate("v * 2", {"v": view(x)})
        assert made.dtype == expected.dtype and np.array_equal(made, view(expected) * expected.dtype.type(2))
    k = arr.compile("x * s", x=f"{_arrays.dtype_text(expected.dtype)}[n]", s=_arrays.dtype_text(expected.dtype))
    assert np.array_equal(k(x[0], library.array(3, name)), expected[0] * expected.dtype.type(3))


def test_inputs_are_never_written_to(library):
    x = library.array([1.0, 2.0, 3.0], "float64")
    made = arr.evaluate("x", {"x": x}, copy=False)
    made[...] = 0
    assert np.array_equal(np.asarray(x), [1, 2, 3])


def test_results_are_written_into_tensors():
    torch = pytest.importorskip("torch")
    k = arr.compile("2*x", x="f32[m, n]")
    x, whole = torch.arange(6.0).reshape(2, 3), torch.zeros(2, 6)
    for out in [torch.empty(2, 3), torch.empty(3, 2).T, whole[:, ::2]]:
        assert k(x, out=out) is out and torch.equal(out, 2 * x)
    assert torch.equal(whole[:, 1::2], torch.zeros(2, 3))
    half = torch.empty(2, dtype=torch.bfloat16)
    arr.evaluate("h / 3", {"h": torch.tensor([3.0, 6.0]).bfloat16()}, out=half)
    assert half.tolist() == [1, 2]
    with pytest.raises(ValueError, match="gradient"):
        k(x, out=torch.empty(2, 3, requires_grad=True))
    with pytest.raises(TypeError, match="dtype"):
        k(x, out=torch.empty(2, 3, dtype=torch.float64))


def test_arrays_of_jax_are_read_only():
    jax = pytest.importorskip("jax")
    with pytest.raises(ValueError, match="read-only"):
        arr.compile("x + 1", x="f32[n]")(np.ones(3, "f4"), out=jax.numpy.zeros(3, "float32"))


def test_tensors_that_are_something_else():
    torch = pytest.importorskip("torch")
    z = torch.tensor([1 + 2j, 3 - 1j], dtype=torch.complex64)
    assert np.array_equal(arr.evaluate("c", {"c": z.conj()}), [1 - 2j, 3 + 1j])
    assert np.array_equal(arr.evaluate("c", {"c": z.conj().imag}), [-2, 1])
    for late in [z.conj(), z.conj().imag]:
        with pytest.raises(ValueError, match="copy"):
            arr.evaluate("c", {"c": late}, copy=False)
    needed = torch.ones(3, requires_grad=True)
    assert np.array_equal(arr.evaluate("c + 1", {"c": needed}), [2, 2, 2])
    assert np.array_equal(arr.evaluate("c + 1", {"c": torch.ones(1).expand(3)}), [2, 2, 2])
    eight = torch.ones(2).to(torch.float8_e4m3fnuz)
    for wrong in [torch.eye(2).to_sparse(), torch.ones(2, device="meta"), eight]:
        with pytest.raises(TypeError, match="tensor of torch.float"):
            arr.evaluate("c", {"c": wrong})
    with pytest.raises(TypeError, match="no dtype 'float8"):
        arr.check("c", c=torch.float8_e4m3fnuz)


def test_what_jax_has_and_arr_has_not():
    jax = pytest.importorskip("jax")
    for wrong in [jax.numpy.ones(2, "int4"), jax.numpy.ones(2, "float8_e4m3fnuz"), jax.random.key(0)]:
        with pytest.raises(TypeError):
            arr.evaluate("c", {"c": wrong})
    with pytest.raises(TypeError):
        jax.jit(lambda v: arr.evaluate("v + 1", {"v": v}))(jax.numpy.ones(3))
