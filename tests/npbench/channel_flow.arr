# Flow through a channel whose ends meet, until it is steady.
let ny = 9
let nx = 11
let dx = 2.0 / (nx - 1)
let dy = 2.0 / (ny - 1)
let dt = 0.01
let rho = 1.0
let nu = 0.1
let force = 1.0
fn east(a) = roll(a, -1, axis=1)[1:-1]
fn west(a) = roll(a, 1, axis=1)[1:-1]
fn poisson(p, b) = repeat 10 with p = p {
  var next = p
  next[1:-1] = (
    ((east(p) + west(p))*dy**2 + (p[2:] + p[:-2])*dx**2)/(2 * (dx**2 + dy**2))
    - dx**2*dy**2/(2 * (dx**2 + dy**2))*b
  )
  next[-1, :] = next[-2, :]
  next[0, :] = next[1, :]
  next
}
fn moved(w, u, v, slope) {
  let c = w[1:-1]
  var next = w
  next[1:-1] = (
    c
    - u[1:-1]*dt/dx*(c - west(w))
    - v[1:-1]*dt/dy*(c - w[:-2])
    - slope
    + nu*(dt/dx**2*(east(w) - 2*c + west(w)) + dt/dy**2*(w[2:] - 2*c + w[:-2]))
  )
  next[0, :] = 0
  next[-1, :] = 0
  next
}
let nothing = zeros((ny, nx))
let (u, v, p, change, steps) = repeat 10_000 while change > 0.02 with u = nothing, v = nothing, p = ones((ny, nx)), change = 1.0, steps = 0 {
  let ux = (east(u) - west(u)) / (2 * dx)
  let vy = (v[2:] - v[:-2]) / (2 * dy)
  let uy = (u[2:] - u[:-2]) / (2 * dy)
  let vx = (east(v) - west(v)) / (2 * dx)
  let b = rho * (1/dt*(ux + vy) - ux**2 - 2*(uy * vx) - vy**2)
  let p = poisson(p, b)
  let pushed = moved(u, u, v, dt/(2 * rho * dx)*(east(p) - west(p)) - force*dt)
  let v = moved(v, u, v, dt / (2 * rho * dy) * (p[2:] - p[:-2]))
  (pushed, v, p, (sum(pushed) - sum(u)) / sum(pushed), steps + 1)
}
output u
output v
output p
output steps
