promotion torch
u + i
k // 3
x ** 2 + e
