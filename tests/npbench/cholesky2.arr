# The factor of a positive definite matrix below, the matrix above.
let n = 9
let b = reshape(arange(n * n), n, n) * 37 % 41 / 41.0
let a = b@b.T + n*eye(n)
output y = linalg.cholesky(a) + triu(a, k=1)
