# Ten operations on three operands, one of them a division.
input a: _[n]
input b: _[n]
input c: _[n]
output y = (a - b)**2 + (a + b)**2 - 1.5*a*b + c/(1 + a*a)
