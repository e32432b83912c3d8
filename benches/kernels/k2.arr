# A product and a sum, each rounded.
input a: _[n]
input b: _[n]
input c: _[n]
output y = a*b + c
