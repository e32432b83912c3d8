# All products of two vectors.
input a: _[r]
input b: _[c]
output y = a[:, None] * b[None, :]
