# The Yule-Walker equations by Durbin: what is shorter than the whole is masked.
let n = 16
let r = (n + 1 - arange(n)) * 1.0
let j = arange(n)
var first = zeros(n)
first[0] = -r[0]
let (y, alpha, beta) = repeat n - 1 as t with y = first, alpha = -r[0], beta = 1.0 {
  let k = t + 1
  let back = clip(t - j, 0, n - 1)
  let beta = (1.0 - alpha * alpha) * beta
  let alpha = -(r[k] + sum(where(j < k, r[back] * y, 0.0))) / beta
  var next = where(j < k, y + alpha * y[back], 0.0)
  next[k] = alpha
  (next, alpha, beta)
}
output y
