# A system solved by triangular factors.
let n = 9
let c = reshape(arange(n * n), n, n) * 37 % 41 / 41.0
let b = arange(n)/9.0 + 4
let a = repeat n as i with a = c@c.T + n*eye(n) {
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
let y = repeat n as i with y = zeros(n) {
  var next = y
  next[i] = b[i] - a[i, :i]@y[:i]
  next
}
let x = repeat n as t with x = zeros(n) {
  let i = n - 1 - t
  var next = x
  next[i] = (y[i] - a[i, i+1:]@x[i+1:]) / a[i, i]
  next
}
output x
output y
