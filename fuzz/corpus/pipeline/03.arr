u + h
sum(u, axis=0)
mean(h * u, axis=(0, 1), keepdims=true)
