# How columns vary together.
let data = reshape(arange(12 * 7), 12, 7) * 37 % 41 / 41.0
output c = cov(data.T)
