"""``compile``: what is known before data, calls, threads, pickles, interruption."""

import concurrent.futures
import contextlib
import copy
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
import weakref

import numpy as np
import pytest

import arrlang as arr

GAUSS = "exp(-0.5*((x-m)/s)**2)"


def gauss():
    return arr.compile(GAUSS, x="f32[n]", m="f32", s="f32")


def test_dtype_shape_and_signature_are_known_before_data():
    k = gauss()
    assert (k.dtype, k.shape, k.names) == (np.dtype("f4"), ("n",), ["x", "m", "s"])
    assert k.signature == "(x: f32[n], m: f32, s: f32) -> f32[n]"
    assert (k.meta.dtype, k.meta.shape) == (np.dtype("f4"), (0,))
    assert "x: f32[n]" in repr(k)
    table = arr.compile("x[1:, None] * y", x="i8[n]", y="i8[3]")
    assert table.shape == ("n-1", 3)


def test_arguments_go_by_place_and_by_name():
    k, x = gauss(), np.linspace(-1, 1, 9, dtype="f4")
    expected = np.exp(np.float32(-0.5) * ((x - np.float32(0.1)) / np.float32(1.3)) ** 2)
    for made in [k(x, 0.1, 1.3), k(x, m=0.1, s=1.3), k(m=0.1, s=np.float32(1.3), x=x)]:
        assert made.dtype == np.float32
        np.testing.assert_allclose(made, expected, rtol=1e-6)
    for wrong in [lambda: k(x), lambda: k(x, 1, 2, 3), lambda: k(x, m=1, s=2, t=3), lambda: k(x, 1, m=2, s=3)]:
        with pytest.raises(TypeError):
            wrong()


def test_any_length_is_taken_and_names_must_agree():
    k = arr.compile("x + y", x="f64[n]", y="f64[n]")
    for n in [0, 1, 2, 1000, 2]:
        assert np.array_equal(k(np.ones(n), np.ones(n)), np.full(n, 2.0))
    with pytest.raises(arr.CheckError) as caught:
        k(np.ones(3), np.ones(4))
    assert caught.value.name == "input-shape"
    with pytest.raises(arr.CheckError) as caught:
        k(np.ones(3), np.ones(3, "f4"))
    assert caught.value.name == "input-dtype"


def test_several_results_are_a_named_tuple():
    k = arr.compile("input x: f32[n]\noutput low = min(x)\noutput rest = x - low\nsum(x)")
    made = k(np.array([3, 1, 2], "f4"))
    assert made.low == 1 and np.array_equal(made.rest, [2, 0, 1]) and made[2] == 6
    assert k.outputs == ["low", "rest", None] and k.dtype == (np.dtype("f4"),) * 3
    assert k.shape == ((), ("n",), ())
    outs = np.empty((), "f4"), np.empty(3, "f4"), np.empty((), "f4")
    assert k(np.array([3, 1, 2], "f4"), out=outs) is outs
    assert outs[0] == 1 and np.array_equal(outs[1], [2, 0, 1]) and outs[2] == 6


def test_results_go_where_out_says():
    k, x = arr.compile("2*x", x="f64[m, n]"), np.arange(12.0).reshape(3, 4)
    whole = np.zeros((3, 8))
    for out in [np.empty((3, 4)), np.empty((4, 3)).T, whole[:, ::2], whole[::-1, 1::2], np.empty((3, 4), ">f8")]:
        assert k(x, out=out) is out
        assert np.array_equal(out, 2 * x)
    once = np.zeros(4)
    shared = np.lib.stride_tricks.as_strided(once, (3, 4), (0, 8))
    k(x, out=shared)
    assert np.array_equal(once, 2 * x[2])
    inside = np.arange(12.0).reshape(3, 4)
    k(inside, out=inside)
    assert np.array_equal(inside, 2 * x)
    shifted = np.arange(16.0)
    k(shifted[:12].reshape(3, 4), out=shifted[1:13].reshape(3, 4))
    assert np.array_equal(shifted[1:13], 2 * np.arange(12.0))
    for wrong, kind in [(np.empty((4, 3)), ValueError), (np.empty((3, 4), "f4"), TypeError), ([1.0], TypeError)]:
        with pytest.raises(kind):
            k(x, out=wrong)


def test_compiling_twice_costs_nothing_and_kernels_are_values():
    k = gauss()
    assert gauss() is k
    other = arr.compile(GAUSS, x="f32[n]", m="f32", s="f32", system="jax")
    assert other != k and len({k, other, gauss()}) == 2
    again = pickle.loads(pickle.dumps(k))
    assert again is k and len(pickle.dumps(k)) < 300
    assert copy.copy(k) == k and copy.deepcopy(k) == k


def test_a_pickle_runs_in_another_process(tmp_path):
    (tmp_path / "k.pickle").write_bytes(pickle.dumps(gauss()))
    code = "import pickle, sys, numpy; k = pickle.load(open(sys.argv[1], 'rb')); print(k(numpy.zeros(3, 'f4'), 0, 1))"
    made = subprocess.run([sys.executable, "-c", code, tmp_path / "k.pickle"], capture_output=True, text=True)
    assert made.stdout.strip() == "[1. 1. 1.]", made.stderr


def test_eight_threads_call_one_kernel():
    k = arr.compile("sum(sqrt(x) * y)", x="f64[n]", y="f64")

    def work(thread):
        for size in range(1, 200):
            assert k(np.full(size, 4.0), float(thread)) == 2.0 * size * thread
        return True

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def test_the_interpreter_goes_on_while_a_kernel_runs():
    k, x = arr.compile("sum(sin(x) * cos(x) * exp(x))", x="f64[n]"), np.ones(20_000_000)
    ticks, done = 0, threading.Event()

    def count():
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    before = ticks
    k(x)
    during = ticks - before
    done.set()
    counter.join()
    assert during > 5


def test_threads_do_not_change_bits():
    k, x = arr.compile("sum(x * 1.1)", x="f32[n]"), np.random.default_rng(1).random(1_000_000, "f4")
    assert k(x, threads=1) == k(x, threads=2) == k(x)
    before = arr.set_threads(1)
    assert k(x) == k(x, threads=2)
    arr.set_threads(before)


def test_ctrl_c_ends_a_kernel():
    code = """
import numpy as np, arrlang as arr, os, signal, threading
k = arr.compile("sum(sin(arange(40000000000) * x))", x="f64")
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    k(0.5)
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(k.signature)
"""
    begun = time.monotonic()
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert made.stdout.startswith("interrupted"), made.stderr
    assert time.monotonic() - begun < 60


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_computes_after_threads_have_run():
    k, x = arr.compile("sum(x * 2)", x="f64[n]"), np.ones(3_000_000)
    assert k(x, threads=2) == 6_000_000
    child = os.fork()
    if child == 0:
        os._exit(0 if k(x, threads=2) == 6_000_000 else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_inputs_that_are_out_of_range_are_run_errors():
    k = arr.compile("input x: u8[n] in [0, 200]\nu16(x) + 100")
    assert np.array_equal(k(np.array([1, 200], "u1")), [101, 300])
    with pytest.raises(arr.RunError) as caught:
        k(np.array([1, 201], "u1"))
    assert caught.value.name == "out-of-range"


def test_scalars_take_the_dtype_of_their_input_or_say_why_not():
    k = arr.compile("x * k", x="i8[n]", k="i8")
    assert k(np.array([1, 2], "i1"), 3).dtype == np.int8
    with pytest.raises(OverflowError):
        k(np.array([1, 2], "i1"), 300)
    with pytest.raises(TypeError):
        k(np.array([1, 2], "i1"), 2.5)


def test_a_million_calls_leak_nothing():
    resource = pytest.importorskip("resource")
    k, x, out = gauss(), np.ones(10, "f4"), np.empty(10, "f4")
    peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    calls = int(os.environ.get("ARR_CALLS", 30_000))
    for _ in range(2000):
        k(x, 0.5, 1.5)
    before = peak()
    for call in range(calls):
        k(x, 0.5, 1.5)
        k(x, 0.5, 1.5, out=out)
        if call % 100 == 0:
            k(np.ones(call % 1000, "f4"), 0.5, 1.5)
            arr.evaluate(f"x * {call}")
            with pytest.raises(arr.CheckError):
                k(np.ones(3), 0.5, 1.5)
    assert peak() - before < 40_000, "kilobytes"


def test_d22_another_thread_writes_to_what_is_read_and_to_what_is_written():
    """Elements are old or new, and nothing else happens; an array in use keeps its memory."""
    k = arr.compile("sqrt(abs(x)) + x[::-1]", x="f64[n]")
    x, out, done = np.ones(200_000), np.empty(200_000), threading.Event()

    def scribble():
        while not done.is_set():
            x[::3] += 1
            out[::7] = -1

    writer = threading.Thread(target=scribble)
    writer.start()
    for _ in range(30):
        assert np.isfinite(k(x)).all()
        k(x, out=out)
    done.set()
    writer.join()
    made = k(x)
    assert np.array_equal(made, np.sqrt(np.abs(x)) + x[::-1])
    del x
    assert made.shape == (200_000,)


def test_d22_kernels_run_while_the_interpreter_ends():
    code = """
import numpy as np, arrlang as arr, threading
k = arr.compile("sum(sin(x))", x="f64[n]")
class Last:
    def __del__(self, k=k, x=np.ones(100)):
        k(x)
last = Last()
def work(k=k, x=np.ones(3_000_000)):
    while True:
        k(x)
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
k(np.ones(10))
print("ends")
"""
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert made.stdout == "ends\n" and made.returncode == 0, made.stderr


def test_a_thread_that_dies_leaves_kernels_as_they_were():
    k, x = arr.compile("sum(x)", x="f64[n]"), np.ones(1000)
    dying = threading.Thread(target=lambda: k(np.ones(1000, "f4")), daemon=True)
    before, threading.excepthook = threading.excepthook, lambda given: None
    dying.start()
    dying.join()
    threading.excepthook = before
    assert k(x) == 1000


def test_d22_arguments_live_as_long_as_their_call_and_no_longer():
    """A call borrows the memory of its arguments: nobody frees it meanwhile, and nothing of it stays."""
    k = arr.compile("sum(sin(x) * cos(x)) + y", x="f64[n]", y="f64")
    held = [np.full(3_000_000, 0.5)]
    expected = k(held[0], 1.0)
    seen = weakref.ref(held[0])

    def drop():
        time.sleep(0.005)
        with contextlib.suppress(ValueError):
            held[0].resize(1)  # refused while somebody holds it
        held.clear()
        gc.collect()

    dropping = threading.Thread(target=drop)
    dropping.start()
    made = [k(x, 1.0) for x in held]
    del_x = held.clear() or gc.collect()
    dropping.join()
    assert made in ([], [expected]) or np.allclose(made, expected)
    assert del_x is not None and seen() is None


def test_d22_no_count_of_an_argument_changes():
    x, wrong, out = np.ones(100), np.ones(100, "f4"), np.empty(100)
    flat, table = x[::2], x.reshape(4, 25)
    k, same = arr.compile("x * 2", x="f64[n]"), arr.compile("x", x="f64[n]")
    before = [sys.getrefcount(one) for one in (x, wrong, out)]
    made = [k(x), same(x), same(x=x), k(flat), k(x, out=out), arr.evaluate("x + wrong"), k(x, out=out[::-1])]
    for bad in [(wrong,), (x, x), (table,)]:
        with pytest.raises(TypeError) as caught:
            k(*bad)
    with pytest.raises(ValueError) as caught:
        k(x, out=np.empty(3))
    del bad, caught
    assert not any(np.shares_memory(one, x) for one in made)
    del made
    assert [sys.getrefcount(one) for one in (x, wrong, out)] == before


@pytest.mark.parametrize("name", ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"])
def test_scalars_of_numpy_and_of_python_are_what_they_are(name):
    dtype = np.dtype(name)
    k = arr.compile("s", s=dtype)
    for value in [0, 1, *([-1] if dtype.kind in "ifc" else []), *([1.5, np.inf] if dtype.kind in "fc" else [])]:
        expected = dtype.type(value)
        for given in [expected, np.asarray(value, dtype)]:
            made = k(given, copy=False)
            assert type(made) is type(expected) and made == expected
            assert arr.evaluate("given", copy=False) == expected
        if dtype.kind != "b":
            assert type(k(value)) is type(expected) and k(value) == expected
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        assert k(int(info.max)) == info.max and k(int(info.min)) == info.min
        for beyond in [int(info.max) + 1, int(info.min) - 1, 10**30]:
            with pytest.raises(OverflowError):
                k(beyond)
    with pytest.raises(arr.CheckError):
        k(np.float32(1) if name != "f4" else np.float64(1))


def test_python_numbers_round_once_to_a_float_input():
    for name in ["f2", "f4", "f8"]:
        k, kind = arr.compile("s", s=np.dtype(name)), np.dtype(name).type
        for value in [0.1, 2.0**24 + 1, 16_777_217, 2**53 + 1, 10**20, -0.0, 65519.99, 1e-50]:
            with np.errstate(all="ignore"):
                expected = kind(value)
            if np.isinf(expected):
                with pytest.raises(OverflowError, match=f"s: .* does not fit {np.dtype(name)}"):
                    k(value)
            else:
                assert k(value) == expected and np.signbit(k(value)) == np.signbit(expected)


def test_a_finding_is_warned_of_by_every_call_and_raised_anew():
    k = dict(system="jax", i=np.ones(2, "i4"), x=np.ones(2, "f4"))
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for _ in range(3):
            arr.evaluate("i * x", **k)
    assert [one.category for one in seen] == [arr.PrecisionLoss] * 3 and {one.filename for one in seen} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error", arr.PrecisionLoss)
        raised = []
        for _ in range(2):
            with pytest.raises(arr.PrecisionLoss) as caught:
                arr.evaluate("i * x", **k)
            raised.append(caught.value)
    assert raised[0] is not raised[1] and "i * x" in str(raised[1])


FORKS = """
import numpy as np, arrlang as arr, os, signal, sys, threading, time
k, x, s = arr.compile("sum(x * 2) + y", x="f64[n]", y="f64"), np.ones(300_000), np.ones(64)
stop = threading.Event()

def work(own):
    count = 0
    while not stop.is_set():
        count += 1
        k(x, 1.0), k(np.ones(count % 500), 1.0)
        arr.evaluate(f"s * {count % 90} + {own}", {"s": s})

threads = [threading.Thread(target=work, args=(own,)) for own in range(3)]
for thread in threads:
    thread.start()
for fork in range(40):
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        right = k(x, 1.0) == 600_001 and arr.evaluate(f"s * {fork} + 3", {"s": s})[0] == fork + 3 and k(np.ones(700 + fork), 0.0) == 1400 + 2 * fork
        os._exit(0 if right else 1)
    status = os.waitpid(child, 0)[1]
    if status:
        print("fork", fork, "ends with", status)
        break
stop.set()
for thread in threads:
    thread.join()
print("done", flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_d22_children_of_a_process_whose_threads_compute():
    """A lock that another thread held at the time of the fork would be held in the child for ever."""
    made = subprocess.run([sys.executable, "-W", "ignore", "-c", FORKS], capture_output=True, text=True, timeout=300)
    assert made.stdout == "done\n", made.stdout + made.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_d22_a_fork_does_not_wait_for_a_long_run_nor_for_itself():
    code = """
import numpy as np, arrlang as arr, os, signal, threading, time
k = arr.compile("sum(sin(arange(40000000000) * x))", x="f64")
small = arr.compile("x + 1", x="f64")

def handler(*_):
    begun = time.monotonic()
    child = os.fork()
    if child == 0:
        os._exit(int(small(1.0) != 2))
    print(os.waitpid(child, 0)[1], time.monotonic() - begun < 15, small(2.0), flush=True)

signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.5)
threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    k(0.5)
except KeyboardInterrupt:
    print("interrupted")
threading.Thread(target=lambda: k(0.5), daemon=True).start()
time.sleep(0.3)
handler()
"""
    made = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=120)
    assert made.stdout == "0 True 3.0\ninterrupted\n0 True 3.0\n", made.stdout + made.stderr


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="no list of threads here")
def test_an_import_and_a_kernel_of_few_elements_start_no_thread():
    code = """
import os, numpy as np
count = lambda: len(os.listdir("/proc/self/task"))
before = count()
import arrlang as arr
k = arr.compile("x + 1", x="f64[n]")
k(np.ones(10)), arr.evaluate("sum(x)", {"x": np.ones(1000)}), arr.check("x + y", x="i8", y="u8")
print(count() - before)
"""
    made = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
    assert made.stdout == "0\n", made.stdout + made.stderr
