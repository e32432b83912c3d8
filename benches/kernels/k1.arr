# Two products and a sum: memory, and little else.
input a: _[n]
input b: _[n]
output y = 2*a + 3*b
