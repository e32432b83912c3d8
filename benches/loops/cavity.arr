# Flow in a box whose lid moves: 700 steps, each with 50 sweeps for the pressure.
input start: f64[row, row]
let h = 2.0 / 100
let dt = 1.0 / 1000
let nu = 0.1
fn sweeps(p, b) = repeat 50 with p = p {
  var next = p
  next[1:-1, 1:-1] = ((p[1:-1, 2:] + p[1:-1, :-2] + p[2:, 1:-1] + p[:-2, 1:-1]) - h*h*b[1:-1, 1:-1]) * 0.25
  next[:, -1] = next[:, -2]
  next[0, :] = next[1, :]
  next[:, 0] = next[:, 1]
  next[-1, :] = 0
  next
}
fn moved(w, u, v, slope, lid) {
  let c = w[1:-1, 1:-1]
  let (west, east) = (w[1:-1, :-2], w[1:-1, 2:])
  let (south, north) = (w[:-2, 1:-1], w[2:, 1:-1])
  var next = w
  next[1:-1, 1:-1] = (
    c - dt/h * (u[1:-1, 1:-1] * (c - west) + v[1:-1, 1:-1] * (c - south) + 0.5*slope)
    + nu*dt/(h*h) * (east + west + north + south - 4.0*c)
  )
  next[0, :] = 0
  next[:, 0] = 0
  next[:, -1] = 0
  next[-1, :] = lid
  next
}
let (u, v, p) = repeat 700 with u = start, v = start, p = start {
  let ux = (u[1:-1, 2:] - u[1:-1, :-2]) / (2.0*h)
  let uy = (u[2:, 1:-1] - u[:-2, 1:-1]) / (2.0*h)
  let vx = (v[1:-1, 2:] - v[1:-1, :-2]) / (2.0*h)
  let vy = (v[2:, 1:-1] - v[:-2, 1:-1]) / (2.0*h)
  let b = pad((ux + vy)/dt - ux*ux - 2.0*(uy*vx) - vy*vy, 1)
  let p = sweeps(p, b)
  (moved(u, u, v, p[1:-1, 2:] - p[1:-1, :-2], 1.0), moved(v, u, v, p[2:, 1:-1] - p[:-2, 1:-1], 0.0), p)
}
output result = stack([u, v, p])
