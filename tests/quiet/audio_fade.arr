# A linear fade over the length of a recording.
input samples: i16[t]
let ramp = 1 - f32(arange(t)) / t
output faded = saturate(round(f32(samples) * ramp), i16)
