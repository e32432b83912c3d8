# How columns vary together, a row and a column at a time.
let n = 12
let m = 7
let first = reshape(arange(n * m), n, m) * 37 % 41 / 41.0
let data = first - mean(first, axis=0)
output cov = repeat m as i with cov = zeros((m, m)) {
  let products = data[:, i] @ data[:, i:m] / (n - 1.0)
  var next = cov
  next[i:m, i] = products
  next[i, i:m] = products
  next
}
