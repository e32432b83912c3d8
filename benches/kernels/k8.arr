# A choice between two values.
input a: _[n]
input b: _[n]
output y = where(a > b, a - b, a + b*2)
