# A row taken from every row.
input x: _[r, c]
input m: _[c]
output y = x - m[None, :]
