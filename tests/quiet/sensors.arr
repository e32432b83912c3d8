# Twelve-bit counts of a converter, as volts and as degrees.
input counts: u16[t, channel] in [0, 4095]
input offset: i16[channel] in [-100, 100] = 0
let level = i32(counts) - offset
output volts = f32(level) * 3.3 / 4095
output average = mean(f32(level), axis=0)
output highest = argmax(max(counts, axis=1))
