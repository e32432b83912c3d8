# One dense layer: the activations are f32 from the first line on.

promotion jax safe

input q: i8[n]
input zero: i8
input scale: f32
input weights: bf16[m, n]
input bias: f16[m]

let x = (f32(q) - f32(zero)) * scale
let hidden = sum(f32(weights) * x, axis=1) + f32(bias)
let active = where(hidden > 0, hidden, 0.01 * hidden)
let shifted = active - max(active)
output p = exp(shifted) / sum(exp(shifted))
let fast = weights * bf16(q)
output checksum = sum(fast) + sum(f32(bias) * f32(weights)[:, 0])
