gcd(i, 12)
popcount(u)
hypot(x, y)
fma(x, y, x)
