# One function.
input x: _[n]
output y = log(x)
