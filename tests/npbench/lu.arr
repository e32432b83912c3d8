# Triangular factors in place.
let n = 9
let b = reshape(arange(n * n), n, n) * 37 % 41 / 41.0
output a = repeat n as i with a = b@b.T + n*eye(n) {
  let a = repeat i as j with a = a {
    var next = a
    next[i, j] -= a[i, :j] @ a[:j, j]
    next[i, j] /= a[j, j]
    next
  }
  repeat n - i as t with a = a {
    let j = i + t
    var next = a
    next[i, j] -= a[i, :i] @ a[:i, j]
    next
  }
}
