let d = x - y
let q = d * d
output rms = sqrt(mean(q))
output top = max(q) - min(q)
