# Columns made orthogonal one after the other.
let m = 9
let n = 6
let first = reshape(arange(m * n), m, n)*37%41/41.0 + eye(m, n)
let (q, r, a) = repeat n as k with q = zeros((m, n)), r = zeros((n, n)), a = first {
  var r = r
  r[k, k] = sqrt(dot(a[:, k], a[:, k]))
  var q = q
  q[:, k] = a[:, k] / r[k, k]
  let (r, a) = repeat n - k - 1 as t with r = r, a = a {
    let j = k + 1 + t
    var r = r
    r[k, j] = dot(q[:, k], a[:, j])
    var a = a
    a[:, j] -= q[:, k] * r[k, j]
    (r, a)
  }
  (q, r, a)
}
output q
output r
