# Products of eight-bit weights and activations, added up in 32 bits, and back to floats.
input weights: i8[out, inner]
input x: u8[inner]
input zero: u8 = 128
input scale: f32 in [0, 1] = 0.01
let centred = i32(x) - zero
let sums = sum(i32(weights) * centred[None], axis=-1)
output y = f32(sums) * scale
