# Vertical advection of a weather model: tridiagonal systems along the last axis.
let ni = 4
let nj = 3
let nk = 6
fn made(i, k) = reshape(arange(i * nj * nk), i, nj, nk) * k % 41 / 41.0
let stage0 = made(ni, 37)
let u = made(ni, 29)
let wcon = made(ni + 1, 19)
let pos = made(ni, 17)
let utens = made(ni, 13)
let dtr = 3.0 / 20.0
let half = 0.5
let zero = zeros((ni, nj))
let (ccol, dcol) = repeat nk as k with ccol = zeros((ni, nj, nk)), dcol = zeros((ni, nj, nk)) {
  let above = maximum(k - 1, 0)
  let below = minimum(k + 1, nk - 1)
  let gav = where(k > 0, -0.25 * (wcon[1:, :, k] + wcon[:-1, :, k]), 0)
  let gcv = where(k < nk - 1, 0.25 * (wcon[1:, :, below] + wcon[:-1, :, below]), 0)
  let acol = gav * half
  let c = gcv * half
  let bcol = dtr - acol - c
  let correction = -gav*half*(u[:, :, above] - u[:, :, k]) - gcv*half*(u[:, :, below] - u[:, :, k])
  let d = dtr*pos[:, :, k] + utens[:, :, k] + stage0[:, :, k] + correction
  let divided = 1.0 / (bcol - where(k > 0, ccol[:, :, above], 0)*acol)
  var ccol = ccol
  ccol[:, :, k] = c * divided
  var dcol = dcol
  dcol[:, :, k] = (d - dcol[:, :, above]*acol) * divided
  (ccol, dcol)
}
let (stage, _) = repeat nk as t with stage = stage0, data = zero {
  let k = nk - 1 - t
  let data = dcol[:, :, k] - ccol[:, :, k]*data
  var stage = stage
  stage[:, :, k] = dtr * (data - pos[:, :, k])
  (stage, data)
}
output stage
