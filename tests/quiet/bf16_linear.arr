# One layer of a network in bf16; products are added up in f32.
input x: bf16[batch, inner]
input w: bf16[out, inner]
input bias: bf16[out] = 0
let y = sum(f32(x)[:, None, :] * f32(w)[None], axis=-1) + f32(bias)
output activation = bf16(maximum(y, 0))
output dead = count_nonzero(y <= 0) / y.size
