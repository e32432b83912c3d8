# Values between 1,000 knots.
input x: _[n]
input xp: _[k]
input fp: _[k]
output y = interp(x, xp, fp)
