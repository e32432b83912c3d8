# The bell curve.
input x: _[n]
let m = 0.3
let s = 1.7
output y = exp(-0.5 * ((x - m) / s)**2)
