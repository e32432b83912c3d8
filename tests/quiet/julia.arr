# Two steps of a Julia set in single precision, on a grid.
input c: c64 = -0.4+0.6j
let re = f32(arange(200)) / 100 - 1
let z0 = re[None, :] + 1j * re[:, None]
let z1 = z0*z0 + c
let z2 = z1*z1 + c
output inside = abs(z2) < 2
