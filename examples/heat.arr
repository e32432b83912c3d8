# The heat equation on a plate: a warm edge, explicit steps until the middle has an eighth of its warmth.
promotion numpy safe

let n = 24
var cold = zeros((n, n))
cold[0, :] = 100.0

let (plate, steps) = repeat 5000 while plate[12, 12] < 12.5 with plate = cold, steps = 0 {
  let c = plate[1:-1, 1:-1]
  var next = plate
  next[1:-1, 1:-1] = c + 0.2*(plate[2:, 1:-1] + plate[:-2, 1:-1] + plate[1:-1, 2:] + plate[1:-1, :-2] - 4.0*c)
  (next, steps + 1)
}

output steps
output middle = plate[:, 12]
output total = sum(plate)
