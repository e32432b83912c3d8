promotion numpy, width=32
sum(k, axis=1)
mean(m)
sum(j) * 3
