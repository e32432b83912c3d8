"""Results in memory that inputs look at: what comes out is what would without the overlap, whatever the layouts."""

import numpy as np
import pytest

import arrlang as arr

#: Elementwise, with reads out of order, with reads of everything, and of several results.
MAPS = ["x + y", "x[::-1] * 2 + y", "sqrt(abs(x)) - y[::-1]", "x - mean(y)", "where(x > y, x, 2*y)", "cumsum(x) + y", "sort(x) - y"]


def views(random, memory, size):
    """A view of some of the memory: any first element, any step, either direction."""
    step = int(random.choice([1, 1, 1, 2, 3]))
    first = int(random.integers(0, len(memory) - (size - 1) * step))
    view = memory[first : first + (size - 1) * step + 1 : step]
    return view[::-1] if random.integers(2) else view


@pytest.mark.parametrize("dtype", ["f8", "f4", "i2"])
@pytest.mark.parametrize("text", MAPS)
def test_out_overlaps_inputs_in_any_way(text, dtype):
    if dtype == "i2" and ("mean" in text or "sqrt" in text or "cumsum" in text):
        text = "x + 2*y[::-1]"
    random = np.random.default_rng(len(text))
    sort = {"f8": "f64", "f4": "f32", "i2": "i16"}[dtype]
    k = arr.compile(text, x=f"{sort}[n]", y=f"{sort}[n]")
    for size in [1, 2, 3, 17, 64, 1000, 4097]:
        for _ in range(12):
            memory = random.integers(-50, 50, 4 * size + 5).astype(dtype)
            if random.integers(3) == 0:  # unaligned
                memory = np.frombuffer(bytearray(b"\0" + memory.tobytes()), dtype, offset=1)
            before = memory.copy()
            x, y, out = (views(random, memory, size) for _ in range(3))
            expected = k(x.copy(), y.copy())
            assert k(x, y, out=out) is out and np.array_equal(out, expected), (size, x.strides, y.strides, out.strides)
            outside = np.ones(len(memory), bool)
            outside[np.ravel([(one.__array_interface__["data"][0] - memory.__array_interface__["data"][0]) // memory.itemsize for one in out.reshape(-1, 1)])] = False
            assert np.array_equal(memory[outside], before[outside]), "nothing else is written"


def test_out_overlaps_itself_and_other_results():
    k, x = arr.compile("let y = x + 1\ny\ny * 2", x="f64[n]"), np.arange(6.0)
    memory = np.zeros(9)
    first, second = memory[:6], memory[3:]
    k(x, out=(first, second))
    assert np.array_equal(second, 2 * (x + 1)) and np.array_equal(first[:3], x[:3] + 1), "in the order of the results"
    both = np.zeros(6)
    k(x, out=(both, both))
    assert np.array_equal(both, 2 * (x + 1))
    matrix = np.arange(16.0).reshape(4, 4)
    arr.compile("transpose(a) + a", a="f64[n, n]")(matrix, out=matrix)
    assert np.array_equal(matrix, matrix.T) and matrix[0, 1] == 5
    square, product = np.arange(9.0).reshape(3, 3), np.arange(9.0).reshape(3, 3)
    arr.compile("a @ a", a="f64[n, n]")(product, out=product.T)
    assert np.array_equal(product.T, square @ square)


@pytest.mark.parametrize("threads", [1, 2])
def test_large_overlaps_on_several_threads(threads):
    k = arr.compile("x * 2 + 1", x="f32[n]", threads=threads)
    for shift in [-70_001, -1, 0, 1, 16, 123_457]:
        memory = np.arange(1_400_000, dtype="f4")
        x, out = memory[200_000:1_200_000], memory[200_000 + shift : 1_200_000 + shift]
        expected = x * np.float32(2) + np.float32(1)
        k(x, out=out)
        assert np.array_equal(out, expected), shift


def test_outs_of_other_sorts_are_refused_and_left_alone():
    k, x = arr.compile("x + 1", x="f64[n]"), np.arange(4.0)
    read_only = np.zeros(4)
    read_only.flags.writeable = False
    for wrong, kind in [(np.zeros(4, "f4"), TypeError), (np.zeros(5), ValueError), (np.zeros((4, 1)), ValueError), (np.zeros(()), ValueError),
                        (read_only, ValueError), (np.zeros(4, "i8"), TypeError), (np.zeros(4, "M8[s]"), TypeError), ([0.0] * 4, TypeError),
                        ((np.zeros(4), np.zeros(4)), ValueError), ("text", TypeError), (np.broadcast_to(0.0, 4), ValueError), (4, TypeError)]:
        with pytest.raises(kind):
            k(x, out=wrong)
        assert not np.any(wrong) if isinstance(wrong, np.ndarray) and wrong.dtype.kind != "M" else True
    assert np.array_equal(k(x, out=np.zeros(8)[::2]), x + 1)
    masked = np.ma.masked_array(np.zeros(4), [True, False, False, False])
    with pytest.raises(TypeError):
        arr.evaluate("v + 1", {"v": masked})
