abs(z) + real(z * conj(z))
z / (1 + 2j)
