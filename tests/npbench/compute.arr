# A clip, two products and a sum.
let i = arange(12)[:, None]
let j = arange(9)[None, :]
output y = clip(i*7 + j*3, 2, 10)*4 + (i - j)*3 + 9
