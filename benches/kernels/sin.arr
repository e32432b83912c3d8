# One function.
input x: _[n]
output y = sin(x)
