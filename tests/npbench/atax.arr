# A matrix and its transpose times a vector.
let a = reshape(arange(8 * 10), 8, 10) * 37 % 41 / 41.0
let x = arange(10)/10.0 + 1
output y = (a @ x) @ a
