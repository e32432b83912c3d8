"""Writes fft.txt: what numpy.fft makes of small arrays, one call a line: call, shape, real parts, imaginary parts.

    python3 tests/numpy/fft.py > tests/numpy/fft.txt

The arrays are whole numbers that a script of the language makes by the same words.
"""

import numpy as np
from numpy import arange, fft, reshape  # noqa: F401

ARRAYS = {
    "one": "arange(1) + 3.0",
    "two": "arange(2) * 5 - 1.0",
    "seven": "(arange(7) * 5 + 3) % 11 - 4.0",
    "eight": "(arange(8) * 5 + 3) % 11 - 4.0",
    "prime": "(arange(37) * 37 + 5) % 53 - 20.0",
    "small": "(arange(12) * 7 + 2) % 13 - 5",
    "plane": "reshape((arange(20) * 7 + 2) % 13 - 5.0, (4, 5))",
    "space": "reshape((arange(30) * 7 + 2) % 13 - 5.0, (2, 3, 5))",
    "turned": "reshape((arange(20) * 7 + 2) % 13 - 5.0, (4, 5)) * (1 - 2j)",
    "waves": "((arange(9) * 4 + 1) % 7 - 3.0) * (2 + 1j)",
}
LINES = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
PLANES = ("fft2", "ifft2", "rfft2", "irfft2")
SPACES = ("fftn", "ifftn", "rfftn", "irfftn")
NORMS = ("backward", "ortho", "forward")


def calls():
    for name, code in ARRAYS.items():
        array = eval(code)
        real_only = ("rfft", "ihfft", "rfft2", "rfftn") if np.iscomplexobj(array) else ()
        for f in LINES:
            if f in real_only:
                continue
            yield f"fft.{f}({name})"
            if name == "prime":
                continue
            for n in (1, 2, 5, 8):
                yield f"fft.{f}({name}, n={n})"
            for norm in NORMS:
                yield f'fft.{f}({name}, n=6, norm="{norm}")'
            for axis in range(-array.ndim, array.ndim):
                yield f"fft.{f}({name}, n=4, axis={axis})"
        if array.ndim > 1:
            for f in PLANES:
                if f in real_only:
                    continue
                yield f"fft.{f}({name})"
                yield f"fft.{f}({name}, s=(3, 6))"
                yield f"fft.{f}({name}, axes=(1, 0))"
                yield f'fft.{f}({name}, norm="ortho")'
        for f in SPACES:
            if f in real_only or name == "prime":
                continue
            yield f"fft.{f}({name})"
            yield f'fft.{f}({name}, norm="forward")'
        yield f"fft.fftshift({name})"
        yield f"fft.ifftshift({name})"
        yield f"fft.fftshift({name}, axes=-1)"
    for n in (1, 2, 5, 8):
        for d in ("1.0", "0.25"):
            yield f"fft.fftfreq({n}, d={d})"
            yield f"fft.rfftfreq({n}, d={d})"


def text(values):
    return " ".join(f"{float(value):.16g}" for value in np.ravel(values))


def main():
    names = {name: eval(code) for name, code in ARRAYS.items()}
    for name, code in ARRAYS.items():
        print(f"let {name} = {code}")
    for call in calls():
        try:
            made = eval(call, {"fft": fft, **names})
        except ValueError:
            print(f"{call}\t-")
            continue
        parts = text(np.real(made)) + ("\t" + text(np.imag(made)) if np.iscomplexobj(made) else "")
        print(f"{call}\t{' '.join(map(str, made.shape))}\t{parts}")


main()
