# Each of some thousand values once.
input x: _[n]
output y = unique(x)
