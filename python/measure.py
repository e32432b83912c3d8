"""What a call costs beside others in one process, turn by turn: the numbers of README.md, on this machine.

    python python/measure.py [million] [kernels]

Run it with the wheel of the release profile. `million` calls a kernel a million times and looks at the memory; `kernels` compares
calls with runs of the same code on the same arrays without Python. Libraries that are not installed are left out.
"""

import importlib
import pathlib
import platform
import subprocess
import sys
import time
import warnings

import numpy as np

import arrlang as arr

TEXT = "2*a + 3*b"
GAUSS = "exp(-0.5*((a-m)/s)**2)"


def library(name):
    """A library, if it is there."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name} is not installed")
        return None


def once(call, inner):
    """Microseconds of a call."""
    begun = time.perf_counter_ns()
    for _ in range(inner):
        call()
    return (time.perf_counter_ns() - begun) / inner / 1000


def interleaved(calls, rounds=1500, inner=20):
    """The least and the middle microseconds of each call; every round times all of them."""
    times = {name: [] for name in calls}
    for call in calls.values():
        call()
    for _ in range(rounds):
        for name, call in calls.items():
            times[name].append(once(call, inner))
    return {name: (min(row), sorted(row)[len(row) // 2]) for name, row in times.items()}


def ten_elements():
    """Calls on ten elements of float32."""
    a, b, out = np.linspace(0, 1, 10, dtype="f4"), np.ones(10, "f4"), np.empty(10, "f4")
    i, names = np.ones(10, "i4"), {"a": a, "b": b}
    k = arr.compile(TEXT, a="f32[n]", b="f32[n]")
    g = arr.compile(GAUSS, a="f32[n]", m="f32", s="f32")
    mean = np.float32(0.5)
    calls = {
        "a kernel": lambda: k(a, b),
        "a kernel with `out=`": lambda: k(a, b, out=out),
        "a kernel with names": lambda: k(a=a, b=b),
        "a kernel of an array and two numbers": lambda: g(a, 0.5, 1.5),
        "the same with scalars of NumPy": lambda: g(a, mean, mean),
        "`evaluate`": lambda: arr.evaluate(TEXT, names),
        "`evaluate` that warns": lambda: arr.evaluate("a*i", {"a": a, "i": i}, system="jax"),
        "one ufunc of NumPy": lambda: np.add(a, b),
        "the expression in NumPy": lambda: 2 * a + 3 * b,
    }
    if numexpr := library("numexpr"):
        calls["`numexpr.evaluate`"] = lambda: numexpr.evaluate(TEXT, names)

        def again():
            numexpr.validate(TEXT, names)
            calls["`numexpr.re_evaluate`"] = lambda: numexpr.re_evaluate(names)
            return numexpr.re_evaluate(names)

        calls["`numexpr.re_evaluate`"] = again
    if numba := library("numba"):
        two = np.float32(2), np.float32(3)
        loop = numba.njit(lambda a, b: two[0] * a + two[1] * b)
        whole = numba.vectorize([numba.float32(numba.float32, numba.float32)])(lambda a, b: two[0] * a + two[1] * b)
        calls["Numba, `njit`"] = lambda: loop(a, b)
        calls["Numba, `vectorize`"] = lambda: whole(a, b)
    if jax := library("jax"):
        there, other = jax.numpy.asarray(a), jax.numpy.asarray(b)
        fused = jax.jit(lambda a, b: 2 * a + 3 * b)
        calls["JAX, `jit`, its own arrays"] = lambda: fused(there, other).block_until_ready()
        calls["JAX, `jit`, arrays of NumPy"] = lambda: np.asarray(fused(a, b))
    return interleaved(calls)


def new_expressions():
    """The middle microseconds of expressions that nobody has seen, for each library in turn."""
    a = np.ones(100, "f4")
    makers = {"arr": lambda text: arr.evaluate(text, {"a": a})}
    if numexpr := library("numexpr"):
        makers["numexpr"] = lambda text: numexpr.evaluate(text, {"a": a})
    if numba := library("numba"):
        makers["Numba"] = lambda text: numba.njit(eval(f"lambda a: {text}", {"sqrt": np.sqrt}))(a)
    if jax := library("jax"):
        makers["JAX"] = lambda text: np.asarray(jax.jit(eval(f"lambda a: {text}", {"sqrt": jax.numpy.sqrt}))(a))
    times = {name: [] for name in makers}
    for number in range(12):
        for name, make in makers.items():
            times[name].append(once(lambda: make(f"{number + 2.125}*a + {number + 3}*sqrt(a)"), 1))
    return {name: sorted(row[1:])[len(row) // 2] for name, row in times.items()}


#: The first expressions of processes: most, those with a finding, and those whose code Cranelift makes.
FIRST = {"the first expression of a process": "2*x + 3*y", "the same with a finding, which is drawn": "2*x + i",
         "the same when Cranelift makes its code, as for reversed arrays": "x[::-1] + 1"}
FIRST_OF_ALL = """
import numpy as np, time, warnings, arrlang
warnings.simplefilter("ignore")
names = {"x": np.ones(100, "f4"), "y": np.ones(100, "f4"), "i": np.arange(100, dtype="i4")}
begun = time.perf_counter_ns()
arrlang.evaluate(TEXT, names)
print((time.perf_counter_ns() - begun) / 1000)
"""
IMPORT = "import numpy, time; t = time.perf_counter(); import arrlang; print((time.perf_counter() - t) * 1000)"


def alone(code):
    """What processes of their own print, the least of some."""
    return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(9))


def another_length():
    """Microseconds of a kernel with arrays of another length than any before."""
    k = arr.compile(TEXT, a="f32[n]", b="f32[n]")
    lengths = [np.ones(n, "f4") for n in range(100, 400)]
    begun = time.perf_counter_ns()
    for x in lengths:
        k(x, x)
    return (time.perf_counter_ns() - begun) / 1000 / len(lengths)


def million():
    """Kilobytes that a million calls add to the most that the process ever had."""
    import resource

    a, peak = np.ones(10, "f4"), lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    k, g = arr.compile(TEXT, a="f32[n]", b="f32[n]"), arr.compile(GAUSS, a="f32[n]", m="f32", s="f32")
    for _ in range(1000):
        k(a, a), g(a, 0.5, 1.5), arr.evaluate(TEXT, {"a": a, "b": a})
    before = peak()
    for _ in range(250_000):
        k(a, a), k(a, a, out=a), g(a, 0.5, 1.5), arr.evaluate(TEXT, {"a": a, "b": a})
    return peak() - before


def kernels(rounds=9):
    """Calls of the peers' kernels beside runs of the same code on the same arrays without Python: the middle ratio of rounds."""
    sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "benches" / "peers"))
    from data import operand
    from kernels import KERNELS

    arr.set_threads(1)
    print(f"{'on one thread':<34}{'elements':>9}{'ns/element':>12}{'in Python':>11}{'out=':>7}")
    for size in (100_000, 10_000_000):
        for kernel in KERNELS:
            dtype = kernel.dtypes[0]
            args = [operand(what, name, dtype, size) for name, what in kernel.operands.items()]
            k = arr.compile(kernel.text, dict(zip(kernel.operands, args)))
            out = np.empty_like(k(*args))
            count, ratios = max(3, min(300, 10_000_000 // size)), []
            for _ in range(rounds):
                # The clock of Python, and the call of a function that makes the call, are no part of it.
                own, clock = k._alone(count, *args) / 1000, middle(lambda: None, count)
                calls = (lambda: k(*args), lambda: k(*args, out=out))
                ratios.append([(middle(call, count) - clock) / own for call in calls])
            ratios = [sorted(row)[rounds // 2] for row in zip(*ratios)]
            print(f"{kernel.name + ' ' + kernel.title:<28}{dtype:<6}{size:>9}{own * 1000 / size:12.3f}{ratios[0]:11.3f}{ratios[1]:7.3f}")


def middle(call, count):
    """Microseconds of the middle one of some calls."""
    return sorted(once(call, 1) for _ in range(count))[count // 2]


def processor():
    """What /proc/cpuinfo calls it."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except OSError:
        return platform.processor()


def main():
    warnings.simplefilter("ignore")
    print(f"{processor()}, Python {platform.python_version()}, microseconds")
    if "kernels" in sys.argv:
        return kernels()
    print(f"{'on ten elements':<64}{'least':>9}{'middle':>9}")
    for name, (least, middle) in ten_elements().items():
        print(f"{name:<64}{least:9.2f}{middle:9.2f}")
    print(f"{'a kernel with arrays of another length than before':<64}{another_length():9.1f}")
    for name, middle in new_expressions().items():
        print(f"{'a new expression, ' + name:<64}{middle:9.0f}")
    for name, text in FIRST.items():
        print(f"{name:<64}{alone(FIRST_OF_ALL.replace('TEXT', repr(text))):9.0f}")
    print(f"{'import beside NumPy, milliseconds':<64}{alone(IMPORT):9.1f}")
    if "million" in sys.argv:
        print(f"{'a million calls, kilobytes more':<64}{million():9}")


if __name__ == "__main__":
    main()
