# A sixteen-bit multiplicative hash and a checksum; the casts say that they wrap.
input key: u16[n]
input data: u8[n]
output slot = u16(key * 40503) >> 6
output sum8 = (data * 31 + 17) & 0x7f
output mixed = u8(data * 167 + 13)
