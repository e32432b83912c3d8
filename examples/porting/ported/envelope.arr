# The envelope of a recorded sound, in f32 under every system.

promotion jax safe

input samples: i16[n] in [-32768, 32767]
input window: f32[n]

let peak = max(abs(i32(samples)))
let normalized = f32(samples) / 32768
let windowed = normalized * window
let energy = mean(windowed**2)
output db = 10 * log10(energy + 1e-12)
output headroom = 32767 - peak
