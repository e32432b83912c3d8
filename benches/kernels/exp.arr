# One function.
input x: _[n]
output y = exp(x)
