# A convolution of pictures with several channels, and a bias.
let i = reshape(arange(2 * 7 * 6 * 3), 2, 7, 6, 3)
let x = i * 37 % 23 / 23.0
let w = reshape(arange(3 * 3 * 3 * 4), 3, 3, 3, 4) * 19 % 17 / 17.0
let bias = arange(4) / 4.0
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
output y = conv2d(x, w) + bias
