# Bodies that attract each other: ten steps of all pairs.
input place: f64[3, body]
input speed: f64[3, body]
input mass: f64[body]
let (p, v) = repeat 10 with p = place, v = speed {
  let dx = p[0] - p[0][:, None]
  let dy = p[1] - p[1][:, None]
  let dz = p[2] - p[2][:, None]
  let r2 = dx*dx + dy*dy + dz*dz + 1e-4
  let pull = mass / (r2*sqrt(r2))
  let v = v + 0.001*stack([sum(dx*pull, axis=1), sum(dy*pull, axis=1), sum(dz*pull, axis=1)])
  (p + 0.001*v, v)
}
output result = p
