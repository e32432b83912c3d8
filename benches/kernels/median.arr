# The middle one.
input x: _[n]
output y = median(x)
