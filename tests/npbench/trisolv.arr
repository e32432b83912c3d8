# A triangular system, row by row.
let n = 12
let i = arange(n)[:, None]
let j = arange(n)[None, :]
let l = where(j <= i, (i + n - j + 1) * 2.0 / n, 0.0)
let b = arange(n) * 1.0
output x = repeat n as k with x = zeros(n) {
  var next = x
  next[k] = (b[k] - l[k, :k] @ x[:k]) / l[k, k]
  next
}
