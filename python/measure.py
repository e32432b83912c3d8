"""What a call costs: the numbers of the design page, on this machine. Run it with the wheel of the release profile.

    python python/measure.py [million]
"""

import subprocess
import sys
import time

import numpy as np

import arrlang as arr


def least(call, rounds=2000, inner=20):
    """Microseconds of a call, the least of many."""
    best = float("inf")
    for _ in range(rounds):
        begun = time.perf_counter_ns()
        for _ in range(inner):
            call()
        best = min(best, (time.perf_counter_ns() - begun) / inner)
    return best / 1000


#: The first expressions of processes: most, those with a finding, and those whose code Cranelift makes.
FIRST = [("first of a process", "2*x + 3*y"), ("first, with a finding", "2*x + i"), ("first, by Cranelift", "x[::-1] + 1")]
FIRST_OF_ALL = """
import numpy as np, time, warnings, arrlang
warnings.simplefilter("ignore")
names = {"x": np.ones(100, "f4"), "y": np.ones(100, "f4"), "i": np.arange(100, dtype="i4")}
begun = time.perf_counter_ns()
arrlang.evaluate(TEXT, names)
print((time.perf_counter_ns() - begun) / 1000)
"""


def alone(code):
    """What processes of their own print, the least of some."""
    return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(9))


def main():
    a, b, out = np.ones(10, "f4"), np.ones(10, "f4"), np.empty(10, "f4")
    k = arr.compile("2*a + 3*b", a="f32[n]", b="f32[n]")
    rows = [("kernel", least(lambda: k(a, b))), ("kernel with out=", least(lambda: k(a, b, out=out))),
            ("kernel with names", least(lambda: k(a=a, b=b))), ("evaluate", least(lambda: arr.evaluate("2*a + 3*b", {"a": a, "b": b}))),
            ("NumPy's ufunc", least(lambda: np.add(a, b))), ("NumPy", least(lambda: 2 * a + 3 * b))]
    try:
        import numexpr

        numexpr.evaluate("2*a + 3*b")
        rows += [("numexpr.evaluate", least(lambda: numexpr.evaluate("2*a + 3*b", {"a": a, "b": b}))),
                 ("numexpr.re_evaluate", least(lambda: numexpr.re_evaluate({"a": a, "b": b})))]
    except ImportError:
        pass
    for name, micro in rows:
        print(f"{name:<22}{micro:8.2f} us on 10 elements")
    lengths = [np.ones(n, "f4") for n in range(100, 400)]
    begun = time.perf_counter_ns()
    for x in lengths:
        k(x, x)
    print(f"{'another length':<22}{(time.perf_counter_ns() - begun) / 1000 / len(lengths):8.2f} us")
    x = np.ones(100, "f4")
    first = []
    for number in range(30):
        text = f"{number + 2.125}*x + {number + 3}*sqrt(x)"
        begun = time.perf_counter_ns()
        arr.evaluate(text, {"x": x})
        first.append((time.perf_counter_ns() - begun) / 1000)
    print(f"{'a new expression':<22}{sorted(first)[len(first) // 2]:8.0f} us")
    for name, text in FIRST:
        print(f"{name:<22}{alone(FIRST_OF_ALL.replace('TEXT', repr(text))):8.0f} us")
    code = "import numpy, time; t = time.perf_counter(); import arrlang; print((time.perf_counter() - t) * 1000)"
    print(f"{'import':<22}{alone(code):8.1f} ms")
    if "million" in sys.argv:
        import resource

        for x in (a, np.ones(1000, "f4")):
            k(x, x)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(1_000_000):
            k(a, b)
        print(f"{'a million calls':<22}{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before:8} kB more")


if __name__ == "__main__":
    main()
