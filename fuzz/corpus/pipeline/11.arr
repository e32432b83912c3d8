fn g(t) = t * t + 1
g(g(x)) - g(i)
