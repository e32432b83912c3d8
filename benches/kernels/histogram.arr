# Counts of 100 bins of one width.
input x: _[n]
output y = histogram(x, 100)[0]
