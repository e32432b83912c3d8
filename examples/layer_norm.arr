# Layer normalisation of bf16 activations: statistics in f32, and what happens without that.
promotion jax safe

## A row for each token.
input x: bf16[token, feature] = load("data/activations.npz:x")
input gain: bf16[feature] = load("data/activations.npz:gain")
input bias: bf16[feature] = load("data/activations.npz:bias")
input epsilon: f32 in [0, 1] = 1e-5

## Rows of mean 0 and variance 1, times gain, plus bias, in the dtype of x.
fn layer_norm(x: _[token, feature], gain: _[feature], bias: _[feature], epsilon) {
  let wide = f32(x)
  let center = mean(wide, axis=-1, keepdims=true)
  let variance = mean((wide - center)**2, axis=-1, keepdims=true)
  bf16((wide - center)*rsqrt(variance + epsilon)*f32(gain) + f32(bias))
}

let y = layer_norm(x, gain, bias, epsilon)

output normal = y
output row_means = mean(f32(y), axis=-1)
# The same in bf16 throughout: every step is rounded to eight significant bits.
let narrow = (x - mean(x, axis=-1, keepdims=true)) / std(x, axis=-1, keepdims=true)
output narrow
output differing = count_nonzero(narrow != layer_norm(x, ones_like(gain), zeros_like(bias), 0))
