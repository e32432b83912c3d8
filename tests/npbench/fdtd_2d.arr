# Waves: electric and magnetic fields in turn.
let nx = 8
let ny = 10
let i = arange(nx)[:, None]
let j = arange(ny)[None, :]
let fict = arange(6) * 1.0
let (ex, ey, hz) = repeat 6 as t with ex = i * (j + 1) / nx, ey = i * (j + 2) / ny, hz = i * (j + 3) / nx {
  var ey = ey
  ey[0, :] = fict[t]
  ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
  var ex = ex
  ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
  var hz = hz
  hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
  (ex, ey, hz)
}
output ex
output ey
output hz
