# The Mandelbrot set: how many steps each point of the plane takes to leave; `-o picture=m.png` draws it.
promotion numpy safe

let x = linspace(-2.2, 0.8, 48)
let y = linspace(-1.2, 1.2, 24)
let c = x + y[:, None]*1j

# Each point goes on while its own condition holds.
let (z, n) = repeat 60 while abs(z) < 2.0 with z = 0.0 * c, n = 0i32 { (z*z + c, n + 1i32) }

output steps = n
output picture = u8(n * 4i32)
output share_inside = mean(f64(n == 60i32))
