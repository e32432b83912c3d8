# Horner's rule for polynomials: the pressure of water vapour in the air (Lowe, 1977), and its dew point by Newton's method.
promotion jax safe

## Temperature of the air in tenths of a degree Celsius.
input tenths: i16[hour] in [-500, 500] = load("data/weather.npz:tenths")
## Relative humidity in percent.
input humidity: u8[hour] in [1, 100] = load("data/weather.npz:humidity")

## Saturation pressure over water in hPa at x degrees Celsius: a0 + a1 x + … + a6 x^6.
fn saturation(x) {
  let c = [6.107799961, 4.436518521e-1, 1.428945805e-2, 2.650648471e-4, 3.031240396e-6, 2.034080948e-8, 6.136820929e-11]
  c[0] + x*(c[1] + x*(c[2] + x*(c[3] + x*(c[4] + x*(c[5] + x*c[6])))))
}

## Its slope: the same coefficients, each times its power.
fn slope(x) {
  let c = [4.436518521e-1, 2 * 1.428945805e-2, 3 * 2.650648471e-4, 4 * 3.031240396e-6, 5 * 2.034080948e-8, 6 * 6.136820929e-11]
  c[0] + x*(c[1] + x*(c[2] + x*(c[3] + x*(c[4] + x*c[5]))))
}

## One step of Newton's rule towards the temperature at which this pressure saturates.
fn closer(x, pressure) = x - (saturation(x) - pressure)/slope(x)

let celsius = f64(tenths) / 10
let pressure = saturation(celsius) * f64(humidity) / 100

output pressure
output dew_point = closer(closer(closer(closer(closer(celsius, pressure), pressure), pressure), pressure), pressure)
output residual = max(abs(saturation(dew_point) - pressure))
output dampest_hour = argmin(celsius - dew_point)
