# How columns go with each other.
let n = 12
let m = 7
let first = reshape(arange(n * m), n, m) * 37 % 41 / 41.0
var stddev = std(first, axis=0)
stddev[stddev <= 0.1] = 1.0
let data = (first - mean(first, axis=0)) / (sqrt(n) * stddev)
output corr = repeat m - 1 as i with corr = eye(m) {
  let products = data[:, i] @ data[:, i+1:m]
  var next = corr
  next[i+1:m, i] = products
  next[i, i+1:m] = products
  next
}
