x[1:, ::2]
x[..., 0]
np.maximum(a, b)
(1, 2)
