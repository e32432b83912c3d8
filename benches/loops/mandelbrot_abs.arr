# How many steps each point of a plane stays near, by its distance.
input x: f64[column]
input y: f64[row]
let c = x + y[:, None]*1j
let (z, n) = repeat 200 while abs(z) <= 2.0 with z = 0.0*c, n = 0i32 { (z*z + c, n + 1i32) }
output result = n
