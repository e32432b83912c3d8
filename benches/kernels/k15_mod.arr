# Remainders with the sign of the divisor.
input a: _[n]
input b: _[n]
output y = a % b
