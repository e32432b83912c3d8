# How many steps each point of a plane stays near.
input x: f64[column]
input y: f64[row]
let c = x + y[:, None]*1j
let (z, n) = repeat 200 while z.real*z.real + z.imag*z.imag <= 4.0 with z = 0.0*c, n = 0i32 { (z*z + c, n + 1i32) }
output result = n
