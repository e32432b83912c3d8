# Mean values in rings, by two histograms.
let n = 200
let npt = 12
let k = arange(n)
let data = k * 37 % 101 / 101.0
let radius = k * 53 % 211 / 17.0
let (counts, _) = histogram(radius, npt)
let (sums, _) = histogram(radius, npt, weights=data)
output profile = sums / counts
