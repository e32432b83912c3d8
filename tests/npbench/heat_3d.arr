# The heat equation in space.
let n = 7
let i = arange(n)[:, None, None]
let j = arange(n)[None, :, None]
let k = arange(n)[None, None, :]
fn step(x, y) {
  let c = x[1:-1, 1:-1, 1:-1]
  var next = y
  next[1:-1, 1:-1, 1:-1] = (
    0.125 * (x[2:, 1:-1, 1:-1] - 2.0*c + x[:-2, 1:-1, 1:-1])
    + 0.125 * (x[1:-1, 2:, 1:-1] - 2.0*c + x[1:-1, :-2, 1:-1])
    + 0.125 * (x[1:-1, 1:-1, 2:] - 2.0*c + x[1:-1, 1:-1, :-2])
    + c
  )
  next
}
let first = (i + j + (n - k)) * 10.0 / n
let (a, b) = repeat 5 with a = first, b = first {
  let b = step(a, b)
  (step(b, a), b)
}
output a
output b
