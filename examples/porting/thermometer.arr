# Unit conversion: raw counts of a 12-bit converter to volts, degrees and flow, with calibration in integers.
#
# The NumPy original:
#
#     volts = counts * 5.0 / 4095
#     celsius = (counts - offset) / 10
#     fahrenheit = celsius * 9 / 5 + 32
#     ticks = stamps - stamps[0]
#     seconds = ticks / 1000000
#     energy = counts * seconds

input counts: u16[n] in [0, 4095]
input offset: i16
input stamps: u64[n]

let volts = counts * 5.0 / 4095
let celsius = (counts - offset) / 10
let fahrenheit = celsius*9/5 + 32
let ticks = stamps - stamps[0]
let seconds = ticks / 1000000
output energy = sum(volts * seconds)
output warm = mean(fahrenheit)
