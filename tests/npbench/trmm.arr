# A product with a triangular matrix.
let m = 7
let n = 8
let a = reshape(arange(m * m), m, m) * 37 % 41 / 41.0
let b = repeat m as i with b = reshape(arange(m * n), m, n) * 29 % 31 / 31.0 {
  repeat n as j with b = b {
    var b = b
    b[i, j] += dot(a[i+1:, i], b[i+1:, j])
    b
  }
}
output c = 1.5 * b
