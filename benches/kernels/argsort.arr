# The positions of the elements in ascending order.
input x: _[n]
output y = argsort(x)
