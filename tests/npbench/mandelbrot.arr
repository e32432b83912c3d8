# How long each point of the plane stays near 0.
let x = linspace(-2.25, 0.75, 16)
let y = linspace(-1.25, 1.25, 12)
let c = x + y[:, None] * 1j
let (z, n) = repeat 20 while abs(z) < 2 with z = 0*c, n = 0 { (z*z + c, n + 1) }
output n
output re = z.real
output im = z.imag
