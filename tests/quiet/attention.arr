# Attention of one head in bf16, with a causal mask.
input q: bf16[t, d]
input k: bf16[t, d]
let scores = sum(f32(q)[:, None, :] * f32(k)[None, :, :], axis=-1) / sqrt(f32(d))
let past = arange(t)[:, None] >= arange(t)[None, :]
let masked = where(past, scores, -inf)
let powers = exp(masked - max(masked, axis=-1, keepdims=true))
output weights = bf16(powers / sum(powers, axis=-1, keepdims=true))
