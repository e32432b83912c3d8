# European options by Black and Scholes: prices, sensitivities, and the parity that prices of calls and puts must keep.
promotion numpy safe
use "lib/normal.arr"

let spot: f64[option] = load("data/options.npz:spot")
let strike: f64[option] = load("data/options.npz:strike")
let years: f64[option] = load("data/options.npz:years")
let volatility: f64[option] = load("data/options.npz:volatility")
let rate: f64[option] = load("data/options.npz:rate")

assert years > 0 and volatility > 0

## The two arguments of the normal distribution in the formula.
fn moneyness(spot, strike, years, volatility, rate) {
  let deviation = volatility * sqrt(years)
  let d1 = (log(spot / strike) + (rate + volatility**2/2)*years) / deviation
  (d1, d1 - deviation)
}

let (d1, d2) = moneyness(spot, strike, years, volatility, rate)
let discounted = strike * exp(-rate * years)

output call = spot*normal_below(d1) - discounted*normal_below(d2)
output put = discounted*normal_below(-d2) - spot*normal_below(-d1)
output delta = normal_below(d1)
output vega = spot * normal_density(d1) * sqrt(years)
output parity_holds = all(isclose(call - put, spot - discounted, rtol=1e-12, atol=1e-12))
