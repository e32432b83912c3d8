where(b, i, -i) ** 2 % 7
