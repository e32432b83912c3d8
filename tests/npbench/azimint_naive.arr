# Mean values in rings, ring by ring.
let n = 200
let npt = 12
let k = arange(n)
let data = k * 37 % 101 / 101.0
let radius = k * 53 % 211 / 17.0
let rmax = max(radius)
output profile = repeat npt as i with res = zeros(npt) {
  let r1 = rmax * i / npt
  let r2 = rmax * (i + 1) / npt
  let values = data[r1 <= radius and radius < r2]
  var next = res
  next[i] = mean(values)
  next
}
