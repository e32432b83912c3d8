# The Yule-Walker equations by Durbin.
let n = 16
let r = (n + 1 - arange(n)) * 1.0
var first = zeros(n)
first[0] = -r[0]
let (y, alpha, beta) = repeat n - 1 as t with y = first, alpha = -r[0], beta = 1.0 {
  let k = t + 1
  let beta = (1.0 - alpha * alpha) * beta
  let alpha = -(r[k] + flip(r[:k]) @ y[:k]) / beta
  var next = y
  next[:k] += alpha * flip(y[:k])
  next[k] = alpha
  (next, alpha, beta)
}
output y
