arange(10) // 3
zeros((2, 3)) + arange(3)
max(i)
min(y)
