prod(j)
argmax(y)
any(b) or all(b)
count_nonzero(l)
