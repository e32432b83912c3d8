zeros_like(k) + ones((3, 5), dtype=i8)
full((2, 2), 7u8)
linspace(0, 1, 5) * x
eye(3) + h
