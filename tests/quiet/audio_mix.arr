# Two recordings mixed, and the level of the mix.
input a: i16[t]
input b: i16[t]
let mix = saturate(i32(a) + b, i16)
let level = f32(mix) / 32768
output mix
output rms = sqrt(mean(level**2))
output middle = i16((i32(a) - b) >> 1)
