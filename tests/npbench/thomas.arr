# Tridiagonal systems, one in each column, by the Thomas algorithm: forward, then back.
let n = 9
let m = 4
let i = arange(n)[:, None] * 1.0
let q = arange(m)[None, :] * 1.0
let low = 0.5 + 0.01 * i + 0.0 * q
let mid = 4.0 + 0.1 * q + 0.05 * i
let up = 0.25 + 0.02 * q + 0.0 * i
let rhs = 1.0 + i * (q + 1) % 5
let (c, d) = scan low, mid, up, rhs with c = 0.0, d = 0.0 {
  let by = mid - low * c
  let c = up / by
  let d = (rhs - low * d) / by
  (c, d, c, d)
}
output x = scan c, d reverse with x = 0.0 {
  let x = d - c * x
  (x, x)
}
