# Elements at positions anywhere.
input x: _[n]
input i: i64[m]
output y = x[i]
