# Flow in a box whose lid moves.
let n = 11
let dx = 2.0 / (n - 1)
let dt = 0.001
let rho = 1.0
let nu = 0.1
fn poisson(p, b) = repeat 6 with p = p {
  var next = p
  next[1:-1, 1:-1] = (
    ((p[1:-1, 2:] + p[1:-1, :-2]) * dx**2 + (p[2:, 1:-1] + p[:-2, 1:-1]) * dx**2) / (2 * (dx**2 + dx**2))
    - dx**2 * dx**2 / (2 * (dx**2 + dx**2)) * b[1:-1, 1:-1]
  )
  next[:, -1] = next[:, -2]
  next[0, :] = next[1, :]
  next[:, 0] = next[:, 1]
  next[-1, :] = 0
  next
}
fn moved(w, u, v, slope, lid) {
  let c = w[1:-1, 1:-1]
  var next = w
  next[1:-1, 1:-1] = (
    c
    - u[1:-1, 1:-1] * dt / dx * (c - w[1:-1, :-2])
    - v[1:-1, 1:-1] * dt / dx * (c - w[:-2, 1:-1])
    - dt / (2 * rho * dx) * slope
    + nu * (dt / dx**2 * (w[1:-1, 2:] - 2 * c + w[1:-1, :-2]) + dt / dx**2 * (w[2:, 1:-1] - 2 * c + w[:-2, 1:-1]))
  )
  next[0, :] = 0
  next[:, 0] = 0
  next[:, -1] = 0
  next[-1, :] = lid
  next
}
let nothing = zeros((n, n))
let (u, v, p) = repeat 8 with u = nothing, v = nothing, p = nothing {
  let ux = (u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx)
  let vy = (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dx)
  let uy = (u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * dx)
  let vx = (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * dx)
  let b = pad(rho * (1 / dt * (ux + vy) - ux**2 - 2 * (uy * vx) - vy**2), 1)
  let p = poisson(p, b)
  (moved(u, u, v, (p[1:-1, 2:] - p[1:-1, :-2]), 1.0), moved(v, u, v, (p[2:, 1:-1] - p[:-2, 1:-1]), 0.0), p)
}
output u
output v
output p
