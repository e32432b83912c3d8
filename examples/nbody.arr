# The sun and four giant planets for a century under their mutual attraction, in steps of ten days; the energy stays.
promotion numpy safe

# Masses in suns, lengths in astronomical units, time in days: the constant of gravity is the square of Gauss's.
let g = 0.01720209895**2
let mass = [1.0, 0.00095, 0.000286, 0.000044, 0.000052]

# From circles around the sun, which gets the opposite of all momentum.
let radius = [5.2, 9.55, 19.2, 30.1]
let direction = [[1.0, 0.0], [-0.6, 0.8], [0.0, -1.0], [0.8, 0.6]]
let turn = stack([-direction[:, 1], direction[:, 0]], axis=1)
let orbits = sqrt(g / radius)[:, None] * turn
let places = concat([zeros((1, 2)), radius[:, None] * direction])
let speeds = concat([-sum(mass[1:, None] * orbits, axis=0)[None, :], orbits])

# What each body is pulled by. A body is apart from itself by nothing, at a distance that does not matter.
fn pull(p) {
  let apart = p[None, :, :] - p[:, None, :]
  let squares = sum(apart**2, axis=2) + eye(5)
  g * sum(apart * (mass / (squares * sqrt(squares)))[:, :, None], axis=1)
}

fn energy(p, v) {
  let apart = p[None, :, :] - p[:, None, :]
  let distance = sqrt(sum(apart**2, axis=2) + eye(5))
  let pairs = mass[:, None] * mass * (1.0 - eye(5)) / distance
  0.5*sum(mass * sum(v**2, axis=1)) - 0.5*g*sum(pairs)
}

# Half a push, a drift, half a push.
let days = 10.0
let (p, v) = repeat 3652 with p = places, v = speeds {
  let v = v + 0.5*days*pull(p)
  let p = p + days*v
  (p, v + 0.5*days*pull(p))
}

let before = energy(places, speeds)
output places = p
output distances = sqrt(sum((p[1:] - p[0])**2, axis=1))
output lost = abs(energy(p, v)/before - 1.0) > 0.0001
