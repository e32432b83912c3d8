# Counts of a 12-bit converter, in f32 but for the time, which is f64.

promotion jax safe

input counts: u16[n] in [0, 4095]
input offset: i16
input stamps: u64[n]

let volts = f32(counts) * 5 / 4095
let celsius = f32(i32(counts) - i32(offset)) / 10
let fahrenheit = celsius*9/5 + 32
let ticks = stamps - stamps[0]
let seconds = f64(ticks) / 1000000
output energy = sum(f64(volts) * seconds)
output warm = mean(fahrenheit)
