# Three products of matrices.
fn made(n, m, k) = reshape(arange(n * m), n, m) * k % 41 / 41.0
output y = made(6, 7, 37) @ made(7, 8, 19) @ made(8, 9, 29) @ made(9, 5, 11)
