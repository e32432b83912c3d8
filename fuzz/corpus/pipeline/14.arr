promotion jax, checked
i * 2
j + j
u8(l)
k // j
