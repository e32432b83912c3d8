# Bodies that attract each other, by the leapfrog.
let k = arange(5) * 1.0
let mass = 20.0 / 5 * (1.0 + 0.1 * k)
let place = stack([sin(1.0 + k), cos(2.0 * k), 0.1 * k], axis=1)
let speed = stack([0.1 * k, 0.2 - 0.05 * k, cos(k)], axis=1)
fn pull(x) {
  let d = x[None, :, :] - x[:, None, :]
  let near = (sum(d * d, axis=2) + 0.01) ** -1.5
  sum(d * (near * mass[None, :])[:, :, None], axis=1)
}
let dt = 0.01
let (x, v, a) = repeat 10 with x = place, v = speed, a = pull(place) {
  let v = v + a * dt / 2.0
  let x = x + v * dt
  let a = pull(x)
  (x, v + a * dt / 2.0, a)
}
output x
output v
