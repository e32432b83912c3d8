# Shortest paths between all places.
let n = 14
let i = arange(n)[:, None]
let j = arange(n)[None, :]
let free = ((i + j) % 13 == 0) or ((i + j) % 7 == 0) or ((i + j) % 11 == 0)
let paths = repeat n as k with p = where(free, 999, i * j % 7 + 1) { minimum(p, p[:, k][:, None] + p[k, :][None, :]) }
output paths
