# A block of a residual network.
fn conv2d(x, w) {
  let k = w.shape[0]
  let h = x.shape[1] - k + 1
  let v = x.shape[2] - k + 1
  repeat h as i with out = zeros((x.shape[0], h, v, w.shape[3])) {
    repeat v as j with out = out {
      var next = out
      next[:, i, j, :] = sum(x[:, i:i+k, j:j+k, :, None] * w[None, :, :, :], axis=(1, 2, 3))
      next
    }
  }
}
fn batchnorm2d(x, eps=1e-5) {
  let mean = mean(x, axis=0, keepdims=true)
  let std = std(x, axis=0, keepdims=true)
  (x - mean) / sqrt(std + eps)
}
fn weights(a, b, c, d) = reshape(arange(a * b * c * d), a, b, c, d)*37%41/41.0 - 0.5
let x = weights(3, 6, 6, 5)
var padded = zeros((3, 8, 8, 2))
padded[:, 1:-1, 1:-1, :] = conv2d(x, weights(1, 1, 5, 2))
let a = relu(batchnorm2d(padded))
let b = relu(batchnorm2d(conv2d(a, weights(3, 3, 2, 2))))
let c = batchnorm2d(conv2d(b, weights(1, 1, 2, 5)))
output y = relu(c + x)
