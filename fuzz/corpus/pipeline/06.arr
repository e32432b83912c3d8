0 <= x < 10 and b
not b
clip(x, -1, 1)
round(y)
