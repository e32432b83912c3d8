# Places among 1,000 knots.
input a: _[k]
input x: _[n]
output y = searchsorted(a, x)
