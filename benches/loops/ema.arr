# An exponential average of one line.
input x: f64[n]
output result = scan x with s = x[0] { let s = 0.9*s + 0.1*x; (s, s) }
