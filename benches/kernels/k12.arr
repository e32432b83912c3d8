# Every other element.
input a: _[2*n]
input b: _[n]
output y = a[::2]*2 + b
