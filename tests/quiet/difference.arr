# How far two frames are apart, pixel by pixel, without leaving eight bits.
input now: u8[y, x]
input before: u8[y, x]
let apart = maximum(now, before) - minimum(now, before)
output moved = apart > 12
output mean_change = mean(f32(apart))
output same = where(now > before, now - before, before - now)
