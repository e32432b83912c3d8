# Two products of one matrix added to vectors.
let n = 9
let a = reshape(arange(n * n), n, n) * 37 % 41 / 41.0
var x1 = arange(n) % 5 / 9.0
var x2 = arange(n) % 4 / 9.0
x1 += a @ (arange(n) / 7.0)
x2 += (arange(n) / 8.0) @ a
output x1
output x2
