# A sum of products.
input a: _[n]
input b: _[n]
output y = sum(a * b)
