# Relaxation in the plane.
let n = 12
let i = arange(n)[:, None] * 1.0
let j = arange(n)[None, :] * 1.0
fn relaxed(x, y) {
  var next = y
  next[1:-1, 1:-1] = 0.2 * (x[1:-1, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:] + x[2:, 1:-1] + x[:-2, 1:-1])
  next
}
let (a, b) = repeat 7 with a = i * (j + 2) / n, b = i * (j + 3) / n {
  let b = relaxed(a, b)
  (relaxed(b, a), b)
}
output a
output b
