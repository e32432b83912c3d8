# A product with a symmetric matrix of which the lower triangle is given.
let m = 7
let n = 8
let a = reshape(arange(m * m), m, m) * 37 % 41 / 41.0
let b = reshape(arange(m * n), m, n) * 29 % 31 / 31.0
let alpha = 1.5
output c = repeat m as i with c = 1.2 * (reshape(arange(m * n), m, n) * 19 % 23 / 23.0) {
  let (c, temp2) = repeat n as j with c = c, temp2 = zeros(n) {
    var c = c
    c[:i, j] += alpha * b[i, j] * a[i, :i]
    var temp2 = temp2
    temp2[j] = b[:i, j] @ a[i, :i]
    (c, temp2)
  }
  var c = c
  c[i, :] += alpha*b[i, :]*a[i, i] + alpha*temp2
  c
}
