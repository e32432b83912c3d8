# One function.
input x: _[n]
output y = tanh(x)
