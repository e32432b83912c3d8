# Sums that stop at 255, in eight bits only.
input a: u8[n]
input b: u8[n]
output first = a + minimum(b, 255 - a)
output second = where(a > 255 - b, 255, a + b)
output lowered = a - minimum(a, b)
output floor = where(a >= b, a - b, 0)
