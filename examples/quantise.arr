# A layer of a network in eight bits: weights and inputs as int8, sums of products in integers, and what that costs.
promotion jax safe

## A row of weights for each result.
input weights: f32[out, inner] in [-8, 8] = load("data/layer.npz:weights")
## Inputs, one row each.
input x: f32[batch, inner] in [-100, 100] = load("data/layer.npz:x")

## Step between neighbouring integers, so that the largest magnitude along an axis becomes 127.
fn step(x, axis=None) = max(abs(x), axis=axis, keepdims=true) / 127

## Nearest multiples of a step; a step of 0 has only zeros.
fn quantise(x, step) = saturate(where(step > 0, x / step, 0), i8)

fn dequantise(q, step) = f32(q) * step

let (weight_step, x_step) = (step(weights, axis=1), step(x))
let (wq, xq) = (quantise(weights, weight_step), quantise(x, x_step))

output wq
output xq
output restored = dequantise(wq, weight_step)
output worst_in_steps = max(abs(restored - weights) / weight_step)

# Products of two int8 need 16 bits, and their sums more.
let products = sum(i32(xq)[:, None, :] * i32(wq)[None], axis=-1)
output products
output y = f32(products) * (x_step * weight_step[:, 0])
output exact = sum(x[:, None, :] * weights[None], axis=-1)
output relative_error = norm(y - exact) / norm(exact)
