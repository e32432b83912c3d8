# Quotients of integers, rounded down.
input a: _[n]
input b: _[n]
output y = a // b
