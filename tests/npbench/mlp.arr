# Three layers and a softmax.
fn softmax(x) {
  let e = exp(x - max(x, axis=-1, keepdims=true))
  e / sum(e, axis=-1, keepdims=true)
}
fn weights(n, m) = reshape(arange(n * m), n, m)*37%41/41.0 - 0.5
let x = weights(4, 9)
let x = relu(x@weights(9, 8) + arange(8)/8.0)
let x = relu(x@weights(8, 7) + arange(7)/7.0)
output y = softmax(x@weights(7, 5) + arange(5)/5.0)
