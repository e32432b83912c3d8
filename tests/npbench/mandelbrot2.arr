# How long each point of the plane stays near 0; points that have left are done.
let steps = 20
let x = linspace(-2.25, 0.75, 16)
let y = linspace(-1.25, 1.25, 12)
let c = x[:, None] + y*1j
let (z, left, n) = repeat steps as t while not left with z = 0 * c, left = full((16, 12), false), n = zeros((16, 12), dtype=i64) {
  let z = z*z + c
  (z, abs(z) > 2.0, where(abs(z) > 2.0, t + 1, n))
}
let z = where(left, z, 0)
output times = n.T
output re = z.real.T
output im = z.imag.T
