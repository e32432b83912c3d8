# The sum of two products.
let n = 9
let a = reshape(arange(n * n), n, n) * 37 % 41 / 41.0
let b = reshape(arange(n * n), n, n) * 29 % 31 / 31.0
let x = arange(n) / 9.0
output y = 1.5*a@x + 1.2*b@x
