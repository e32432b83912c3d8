# Inference: one dense layer of a network whose weights are bf16, with 8-bit quantized activations.
#
# The original, NumPy with ml_dtypes:
#
#     x = (q - zero) * scale
#     hidden = np.sum(weights * x, axis=1) + bias
#     active = np.where(hidden > 0, hidden, 0.01 * hidden)
#     shifted = active - active.max()
#     p = np.exp(shifted) / np.sum(np.exp(shifted))

input q: i8[n]
input zero: i32
input scale: f32
input weights: bf16[m, n]
input bias: f16[m]

let x = (q - zero) * scale
let hidden = sum(weights * x, axis=1) + bias
let active = where(hidden > 0, hidden, 0.01 * hidden)
let shifted = active - max(active)
output p = exp(shifted) / sum(exp(shifted))
let fast = weights * q
output checksum = sum(fast) + sum(bias * weights[:, 0])
