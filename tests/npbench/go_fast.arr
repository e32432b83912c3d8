# The sum of the hyperbolic tangents of a diagonal, added to all.
let n = 9
let a = reshape(arange(n * n), n, n) / 40.0
let trace = repeat n as i with trace = 0.0 { trace + tanh(a[i, i]) }
output y = a + trace
