# A line fitted by least squares; time counts in steps.
input y: f64[n]
let t = arange(n) / n
let dt = t - mean(t)
let slope = sum(dt * (y - mean(y))) / sum(dt**2)
output slope
output intercept = mean(y) - slope * mean(t)
