min(k, axis=0, keepdims=true) + max(k, axis=1, keepdims=true)
logical_or(b, x)
sum(b)
