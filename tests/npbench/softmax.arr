# Softmax along the last axis of four.
let x = reshape(arange(2 * 3 * 4 * 5), 2, 3, 4, 5) * 37 % 41 / 13.0
let e = exp(x - max(x, axis=-1, keepdims=true))
output y = e / sum(e, axis=-1, keepdims=true)
