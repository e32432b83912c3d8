# Correlation of two series in single precision.
input x: f32[n]
input y: f32[n]
let (dx, dy) = (x - mean(x), y - mean(y))
output r = sum(dx*dy) / sqrt(sum(dx*dx) * sum(dy*dy))
output agree = count_nonzero((dx > 0) == (dy > 0)) / n
