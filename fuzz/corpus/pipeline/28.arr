fn f(t) = t / (1 + abs(t))
f(x) + f(k)
f(e)
