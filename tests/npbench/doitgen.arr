# A product along the last of three axes.
let a = reshape(arange(4 * 5 * 6), 4, 5, 6) * 37 % 41 / 41.0
let c4 = reshape(arange(6 * 6), 6, 6) * 19 % 23 / 23.0
output y = reshape(reshape(a, (4, 5, 1, 6)) @ c4, (4, 5, 6))
