# One step of a linear congruential generator, and a number in [0, 1) of its upper bits.
input state: u64[n]
let next = state * 6364136223846793005 + 1442695040888963407
output next
output uniform = f64(next >> 11) / 9007199254740992
