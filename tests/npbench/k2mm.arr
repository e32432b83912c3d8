# Two products of matrices, and a sum.
fn made(n, m, k) = reshape(arange(n * m), n, m) * k % 41 / 41.0
var d = made(6, 9, 11)
d[:] = 1.5*made(6, 7, 37)@made(7, 8, 19)@made(8, 9, 29) + 1.2*d
output d
