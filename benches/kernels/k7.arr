# The price of a European call by Black and Scholes.
input s: _[n]
input k: _[n]
input t: _[n]
let r = 0.03
let v = 0.2
let d = v * sqrt(t)
let p = (log(s / k) + (r + 0.5*v*v)*t) / d
fn normal(x) = 0.5 * (1 + erf(x * 0.7071067811865476))
output y = s*normal(p) - k*exp(-r * t)*normal(p - d)
