# Sums of 1,000,000 groups.
input x: _[n]
input g: i64[n]
output y = segment_sum(x, g, 1_000_000)
