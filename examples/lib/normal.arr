# The standard normal distribution.

let sqrt2 = 2.0**0.5

## Share of the distribution that lies below x, without cancellation in the lower tail.
fn normal_below(x) = erfc(-x / sqrt2) / 2

## Density at x.
fn normal_density(x) = exp(-x * x / 2) / (sqrt2 * pi**0.5)
