let f = f16(x)
exp(f) + log1p(f)
bf16(y) * 3
