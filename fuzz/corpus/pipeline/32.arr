reshape(k, (5, 3)) * h
broadcast_to(r, (2, 2))
dot(x, x)
k.shape[0] * 2
