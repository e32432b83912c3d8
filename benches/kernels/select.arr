# What is above zero.
input x: _[n]
output y = x[x > 0]
