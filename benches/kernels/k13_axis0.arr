# Sums of columns.
input x: _[r, c]
output y = sum(x, axis=0)
