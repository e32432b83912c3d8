# Yearly sunspot numbers since 1700: the strongest year, and how far the number of one year tells that of the next.
input activity: f64[year] in [0, 1000] = load("data/sunspots.npy")

let years = 1700 + arange(year)
let level = mean(activity)
let peak = max(activity)

output strongest_year = max(where(activity == peak, years, 0))
output quiet_years = sum(where(activity < 10, 1, 0))
output standard_deviation = sqrt(mean((activity - level)**2))
# A cosine of eleven years, fitted by projection: how much of the variation does it carry?
let phase = tau * f64(years) / 11
let c = mean((activity - level) * sin(phase + pi/2))
let s = mean((activity - level) * sin(phase))
output share_of_eleven_years = 2 * (c*c + s*s) / mean((activity - level)**2)
