var a = zeros_like(x)
a += x
a[0] = 1
a
