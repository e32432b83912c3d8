# Gain of a recording in sixteen bits, in fixed point, limited to the full scale.
input samples: i16[t, channel]
input gain: i32 in [0, 1024] = 256
output louder = saturate((i32(samples) * gain) >> 8, i16)
output peak = max(abs(i32(samples)))
