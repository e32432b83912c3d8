# The softened ramp, without overflow.
input x: _[n]
output y = log1p(exp(-abs(x))) + maximum(x, 0)
