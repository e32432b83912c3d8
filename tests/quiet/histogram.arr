# Counts of eight-bit values, their shares, and the entropy in bits.
input image: u8[p]
let hits = image[:, None] == arange(256, dtype=u8)
let counts = sum(hits, axis=0)
let share = counts / p
output counts
output entropy = -sum(where(share > 0, share * log2(where(share > 0, share, 1)), 0))
output busiest = argmax(counts)
