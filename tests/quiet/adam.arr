# One step of Adam.
input p: f32[n]
input g: f32[n]
input m: f32[n]
input v: f32[n]
input step: i32 in [1, 1_000_000] = 1
let m1 = 0.9*m + 0.1*g
let v1 = 0.999*v + 0.001*g*g
let (bm, bv) = (1 - 0.9**f32(step), 1 - 0.999**f32(step))
output next = p - 0.001 * (m1/bm) / (sqrt(v1/bv) + 1e-8)
output m1
output v1
