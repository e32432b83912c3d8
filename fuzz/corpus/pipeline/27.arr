x[1:]
k[0]
u[:, ::2]
k.T
transpose(k) + 1
