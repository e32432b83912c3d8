# A product with its transpose added to a lower triangle.
let n = 8
let m = 6
let a = reshape(arange(n * m), n, m) * 37 % 41 / 41.0
output c = repeat n as i with c = reshape(arange(n * n), n, n) * 19 % 23 / 23.0 {
  var c = c
  c[i, :i+1] *= 1.2
  repeat m as k with c = c {
    var c = c
    c[i, :i+1] += 1.5 * a[i, k] * a[:i+1, k]
    c
  }
}
