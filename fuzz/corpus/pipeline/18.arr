z * c
exp(z) + conj(c)
angle(c)
c ** 2
sqrt(z)
