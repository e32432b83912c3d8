"""Linear algebra and Fourier transforms, which large libraries of Rust compute: a wheel has both."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

import arrlang as arr

DTYPES = pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])


def matrices(dtype, *shape):
    """Well-conditioned ones."""
    random = np.random.default_rng(3)
    made = random.standard_normal(shape) + (1j * random.standard_normal(shape) if dtype.startswith("c") else 0)
    return (made + 4 * np.eye(*shape[-2:])).astype(dtype)


def close(made, expected):
    expected = np.asarray(expected)
    assert made.dtype == expected.dtype and made.shape == expected.shape
    tolerance = 1e-4 if expected.dtype.itemsize <= 4 * (1 + (expected.dtype.kind == "c")) else 1e-10
    return np.allclose(made, expected, rtol=tolerance, atol=tolerance)


@DTYPES
@pytest.mark.parametrize("layout", [np.ascontiguousarray, np.asfortranarray, lambda a: np.repeat(a, 2, axis=-1)[..., ::2]])
def test_functions_of_matrices_are_those_of_numpy(dtype, layout):
    a, b = layout(matrices(dtype, 3, 5, 5)), matrices(dtype, 5, 2)
    for text, expected in {
        "linalg.solve(a, b)": np.linalg.solve(a, b), "solve(a, b)": np.linalg.solve(a, b), "linalg.inv(a)": np.linalg.inv(a),
        "linalg.det(a)": np.linalg.det(a), "linalg.svdvals(a)": np.linalg.svd(a, compute_uv=False), "linalg.pinv(a)": np.linalg.pinv(a),
        "linalg.norm(a, axis=-1)": np.linalg.norm(a, axis=-1), "linalg.matrix_power(a, -2)": np.linalg.matrix_power(a, -2),
    }.items():
        assert close(arr.evaluate(text, {"a": a, "b": b}), expected), text
    gram = a @ a.conj().swapaxes(-1, -2)
    assert close(arr.evaluate("linalg.cholesky(gram)"), np.linalg.cholesky(gram))
    values = arr.compile("let (w, v) = linalg.eigh(gram)\nw", gram=gram)(gram)
    assert close(values, np.linalg.eigh(gram)[0])


@DTYPES
def test_transforms_are_those_of_numpy(dtype):
    x = matrices(dtype, 12, 10)
    for text, expected in {
        "fft.fft(x)": np.fft.fft(x), "fft.ifft(x, axis=0)": np.fft.ifft(x, axis=0), "fft.fft2(x)": np.fft.fft2(x),
        "fft.fft(x, n=16)": np.fft.fft(x, n=16), "fft.fftshift(x)": np.fft.fftshift(x),
        **({} if dtype.startswith("c") else {"fft.rfft(x)": np.fft.rfft(x), "fft.irfft(fft.rfft(x))": x}),
    }.items():
        assert close(arr.evaluate(text), expected), text


def test_a_kernel_of_matrices_is_a_kernel_like_others():
    k = arr.compile("linalg.solve(a, b)", a="f64[k, n, n]", b="f64[n]")
    assert (k.dtype, k.shape) == (np.dtype("f8"), ("k", "n"))
    for count, size in [(1, 3), (4, 8), (0, 2)]:
        a, b, out = matrices("f8", count, size, size), np.arange(float(size)), np.empty((count, size))
        expected = np.stack([np.linalg.solve(one, b) for one in a]) if count else out
        assert pickle.loads(pickle.dumps(k))(a, b, out=out) is out and close(out, expected)
        assert np.array_equal(k(a, b, threads=1), out)


def test_numpys_names_of_a_python_function():
    @arr.function
    def fitted(x: "f64[m, n]", y: "f64[m]"):
        return np.linalg.solve(x.T @ x, x.T @ y)

    x = np.random.default_rng(5).standard_normal((20, 3))
    assert close(fitted(x, x @ np.array([1.0, -2.0, 3.0])), [1.0, -2.0, 3.0])


def test_what_has_no_answer_says_so():
    singular, tall = np.zeros((2, 2)), np.ones((3, 2))
    with pytest.raises(arr.CheckError) as caught:
        arr.evaluate("linalg.inv(tall)")
    assert caught.value.name == "shapes-differ"
    with pytest.raises(arr.RunError) as caught:
        arr.evaluate("linalg.inv(singular)")
    assert caught.value.name == "unfit-matrix" and "singular" in caught.value.message


def test_ctrl_c_ends_a_decomposition():
    code = """
import numpy as np, arrlang as arr, os, signal, threading, time
a = np.random.default_rng(1).standard_normal((4000, 4000))
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
begun = time.monotonic()
try:
    arr.evaluate("linalg.eigvals(a)")
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - begun < 10, flush=True)
os._exit(0)
"""
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert made.stdout == "interrupted True\n", made.stderr
