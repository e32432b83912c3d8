# Sums of rows.
input x: _[r, c]
output y = sum(x, axis=1)
