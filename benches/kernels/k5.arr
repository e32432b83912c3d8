# Two functions of two operands.
input a: _[n]
input b: _[n]
output y = sin(a)**2 + cos(b)**2
