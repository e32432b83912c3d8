# How long each point of the plane stays near 0, by masks.
let steps = 20
let x = linspace(-2.25, 0.75, 16)
let y = linspace(-1.25, 1.25, 12)
let c = x + y[:, None]*1j
let (z, n) = repeat steps as t with z = 0 * c, n = zeros((12, 16), dtype=i64) {
  let i = abs(z) < 2.0
  var times = n
  times[i] = t
  var next = z
  next[i] = next[i]**2 + c[i]
  (next, times)
}
var times = n
times[times == steps-1] = 0
output times
output re = z.real
output im = z.imag
