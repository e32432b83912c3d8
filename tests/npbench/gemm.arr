# A product of matrices added to a multiple of a third.
fn made(n, m, k) = reshape(arange(n * m), n, m) * k % 41 / 41.0
var c = made(6, 7, 37)
c[:] = 1.5*made(6, 8, 19)@made(8, 7, 29) + 1.2*c
output c
