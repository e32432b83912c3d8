"""Calls the functions of standard.arr from Python, by ctypes:

arr build standard.arr -o libstandard.so
python call.py ./libstandard.so
"""

import ctypes
import sys
from array import array


class In(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p)]


class Out(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("shape", ctypes.c_void_p)]


def address(values):
    return values.buffer_info()[0]


library = ctypes.CDLL(sys.argv[1])
library.standard_scratch.restype = ctypes.c_int64
library.standard_error.restype = ctypes.c_char_p

table = array("f", [1, 10, 2, 20, 3, 15, 4, 40, 5, 30])
shape = array("q", [5, 2])
scores, farthest = array("f", bytes(40)), array("q", bytes(8))
x = In(address(table), address(shape), None)
scratch = ctypes.create_string_buffer(library.standard_scratch(ctypes.byref(x)))
code = library.standard(
    ctypes.byref(x),
    ctypes.byref(Out(address(scores), address(shape))),
    ctypes.byref(Out(address(farthest), None)),
    scratch,
    None,
)
if code:
    sys.exit(library.standard_error(code).decode())
for row in range(5):
    print(scores[2 * row].hex(), scores[2 * row + 1].hex())
print(f"row {farthest[0]} is farthest")
