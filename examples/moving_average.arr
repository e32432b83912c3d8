# Yearly sunspot numbers smoothed over the solar cycle: a moving average by slices, and what is left without it.
promotion numpy safe

## Yearly means since 1700.
input activity: f64[year] in [0, 1000] = load("data/sunspots.npy")

## Means of three neighbours, one in the middle: two fewer than there are elements.
fn average3(x: _[n]) -> _[n-2] = (x[:-2] + x[1:-1] + x[2:]) / 3

## Means of 11 elements from running sums: each is the difference of two of them.
fn average11(x: _[n]) -> _[n-10] {
  let sums = concat([[0.0], cumsum(x)])
  (sums[11:] - sums[:-11]) / 11
}

let cycle = average11(activity)

output smooth = average3(activity)
output cycle
output deviation = activity[5:-5] - cycle
output strongest_cycle_year = 1705 + argmax(cycle)

# The ends keep their own values: a copy of which the middle is replaced.
var whole = activity
whole[5:-5] = cycle
output newest = whole[-11:]
output decades = mean(reshape(activity[:year//10*10], -1, 10), axis=1)
