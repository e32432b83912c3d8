# Mean, deviation, skewness of each column.
input x: f64[n, k]
let center = mean(x, axis=0)
let d = x - center
let deviation = sqrt(sum(d**2, axis=0) / (n - 1))
output center
output deviation
output skewness = mean(d**3, axis=0) / mean(d**2, axis=0)**1.5
