# Two exposures averaged: once in sixteen bits, once in eight without a carry.
input a: u8[n]
input b: u8[n]
output wide = u8((u16(a) + b + 1) // 2)
output narrow = (a & b) + ((a ^ b) >> 1)
output halves = a//2 + b//2 + (a & b & 1)
