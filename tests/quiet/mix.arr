# The finaliser of MurmurHash3.
input k: u32[n]
let a = (k ^ (k >> 16)) * 0x85ebca6b
let b = (a ^ (a >> 13)) * 0xc2b2ae35
output mixed = b ^ (b >> 16)
