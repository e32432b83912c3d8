# The factor of a positive definite matrix, element by element, in the lower triangle.
let n = 9
let b = reshape(arange(n * n), n, n) * 37 % 41 / 41.0
let first = b@b.T + n*eye(n)
var start = first
start[0, 0] = sqrt(start[0, 0])
output a = repeat n - 1 as t with a = start {
  let i = t + 1
  var a = repeat i as j with a = a {
    var next = a
    next[i, j] -= a[i, :j] @ a[j, :j]
    next[i, j] /= a[j, j]
    next
  }
  a[i, i] -= a[i, :i] @ a[i, :i]
  a[i, i] = sqrt(a[i, i])
  a
}
