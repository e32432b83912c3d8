# FNV-1a of eight bytes in each row, in 32 bits; the products wrap, which is what the hash is.
input bytes: u8[n, 8]
fn step(h, byte) = u32((h ^ u32(byte)) * 16777619)
let h0 = step(full(n, 2166136261, dtype=u32), bytes[:, 0])
let h1 = step(h0, bytes[:, 1])
let h2 = step(h1, bytes[:, 2])
let h3 = step(h2, bytes[:, 3])
output hash = h3
output bucket = h3 % 64
