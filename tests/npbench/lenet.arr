# LeNet-5 on small pictures.
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
fn maxpool2d(x) {
  let h = x.shape[1] // 2
  let v = x.shape[2] // 2
  repeat h as i with out = zeros((x.shape[0], h, v, x.shape[3])) {
    repeat v as j with out = out {
      var next = out
      next[:, i, j, :] = max(x[:, 2*i:2*i+2, 2*j:2*j+2, :], axis=(1, 2))
      next
    }
  }
}
let x = reshape(arange(2 * 16 * 16), 2, 16, 16, 1) * 37 % 23 / 23.0
let conv1 = reshape(arange(5 * 5 * 1 * 3), 5, 5, 1, 3)*19%17/17.0 - 0.4
let conv2 = reshape(arange(3 * 3 * 3 * 4), 3, 3, 3, 4)*29%31/31.0 - 0.5
let bias1 = arange(3) / 7.0
let bias2 = arange(4) / 9.0
let fc1w = reshape(arange(16 * 10), 16, 10)*13%19/19.0 - 0.5
let fc2w = reshape(arange(10 * 8), 10, 8)*11%13/13.0 - 0.5
let fc3w = reshape(arange(8 * 5), 8, 5)*7%11/11.0 - 0.5
let x = relu(conv2d(x, conv1) + bias1)
let x = maxpool2d(x)
let x = relu(conv2d(x, conv2) + bias2)
let x = maxpool2d(x)
let x = reshape(x, (2, -1))
let x = relu(x@fc1w + arange(10)/10.0)
let x = relu(x@fc2w + arange(8)/8.0)
output y = x@fc3w + arange(5)/5.0
