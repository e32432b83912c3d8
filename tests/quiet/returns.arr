# Returns of a price, their drawdown, and how many days were good.
input close: f64[day]
let r = close[1:] / close[:-1] - 1
let wealth = cumprod(1 + r)
output drawdown = min(wealth / cummax(wealth)) - 1
output good = count_nonzero(r > 0) / (day - 1)
output yearly = sqrt(252) * mean(r) / std(r)
