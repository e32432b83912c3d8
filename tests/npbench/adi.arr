# Heat in the plane, implicit along one direction at a time.
let n = 8
let steps = 3
let dx = 1.0 / n
let dt = 1.0 / steps
let mul1 = 2.0 * dt / (dx * dx)
let mul2 = 1.0 * dt / (dx * dx)
let a = -mul1 / 2.0
let b = 1.0 + mul1
let d = -mul2 / 2.0
let e = 1.0 + mul2
fn sweep(u, a, b, d) {
  let (p, q) = scan u = u[1:-1] with p = zeros(n - 2), q = ones(n - 2) {
    let by = a * p + b
    let next = (-d * u[:-2] + (1.0 + 2.0*d) * u[1:-1] - d * u[2:] - a * q) / by
    let p = -a / by
    (p, next, p, next)
  }
  let inner = scan p, q reverse with v = ones(n - 2) {
    let v = p * v + q
    (v, v)
  }
  pad(concat([ones((1, n - 2)), inner, ones((1, n - 2))]), ((0, 0), (1, 1)))
}
let first = (arange(n)[:, None] + n - arange(n)[None, :]) * 1.0 / n
let u = repeat steps with u = first {
  let v = sweep(u, a, b, d)
  let w = sweep(v.T, d, e, a).T
  concat([u[:1], w[1:-1], u[-1:]])
}
output u
