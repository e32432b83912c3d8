# A sum of solutions of systems along a contour.
let nr = 6
let nm = 4
let slabs = 2
let i = arange(nr)[:, None]
let j = arange(nr)[None, :]
let k = arange(slabs + 1)[:, None, None]
let ham = cos(1.0*i + 2.0*j + k) + sin(1.0*i*j + k)*1j + 5.0*(i == j)
let m = arange(nm)[None, :]
let y = cos(1.0*i + m) + sin(0.5*i - m)*1j
let points = exp(0.7j * arange(8)) * (0.5 + 0.2*arange(8))
let nothing = zeros((nr, nm), dtype=c128)
let (p0, p1) = repeat 8 as at with p0 = nothing, p1 = nothing {
  let z = points[at]
  let tz = repeat slabs + 1 as n with tz = zeros((nr, nr), dtype=c128) { tz + z**(slabs/2 - n)*ham[n] }
  let x = linalg.solve(tz, y)
  let x = where(abs(z) < 1.0, -x, x)
  (p0 + x, p1 + z*x)
}
output re0 = p0.real
output im0 = p0.imag
output re1 = p1.real
output im1 = p1.imag
