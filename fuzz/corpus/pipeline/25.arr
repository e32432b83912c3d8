zeros((3, 5), dtype=i8) + k
arange(5) * x
arange(3, dtype=f16)
