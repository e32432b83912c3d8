# How many labels there are of each kind.
input g: _[n]
output y = bincount(g)
