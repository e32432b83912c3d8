# Two products of one matrix, from the left and from the right.
let a = reshape(arange(8 * 10), 8, 10) * 37 % 41 / 41.0
let p = arange(10) % 7 / 10.0
let r = arange(8) % 5 / 8.0
output s = r @ a
output q = a @ p
