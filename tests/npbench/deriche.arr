# An edge detector: recursive filters from the left, the right, above and below.
let h = 8
let w = 10
let img = ((313 * arange(h)[:, None] + 991 * arange(w)[None, :]) % 65536) / 65535.0
let alpha = 0.25
let k = (1.0 - exp(-alpha)) * (1.0 - exp(-alpha)) / (1.0 + alpha * exp(-alpha) * 2.0 - exp(2.0 * alpha))
let a1 = k
let a2 = k * exp(-alpha) * (alpha - 1.0)
let a3 = k * exp(-alpha) * (alpha + 1.0)
let a4 = -k * exp(-2.0 * alpha)
let b1 = 2.0 ** (-alpha)
let b2 = -exp(-2.0 * alpha)
fn across(img) {
  let y1 = scan x = img along 1 with ym1 = 0.0, ym2 = 0.0, xm1 = 0.0 {
    let y = a1*x + a2*xm1 + b1*ym1 + b2*ym2
    (y, ym1, x, y)
  }
  let y2 = scan x = img along 1 reverse with yp1 = 0.0, yp2 = 0.0, xp1 = 0.0, xp2 = 0.0 {
    let y = a3*xp1 + a4*xp2 + b1*yp1 + b2*yp2
    (y, yp1, x, xp1, y)
  }
  y1 + y2
}
output edges = across(across(img).T).T
