# The heat equation on a plate: 500 explicit steps from one warm edge.
input plate: f64[row, column]
output result = repeat 500 with plate = plate {
  let c = plate[1:-1, 1:-1]
  var next = plate
  next[1:-1, 1:-1] = c + 0.2*(plate[2:, 1:-1] + plate[:-2, 1:-1] + plate[1:-1, 2:] + plate[1:-1, :-2] - 4.0*c)
  next
}
