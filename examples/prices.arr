# Prices of two stocks on three days: a day by its date, a stock by its name, groups of both, and a volume that is missing.
promotion numpy safe

## The day of each row.
input day: date[row] = load("data/prices.csv:date")
## What was paid at the end of it.
input close: f64[row] in [0.01, 1e6] = load("data/prices.csv:close")
## How many shares were sold; nan where nobody wrote it down.
input volume: f64[row] = load("data/prices.csv:volume")

# Words are codes: 0 for the first one of the column, 1 for the next new one.
let symbol = codes("data/prices.csv:symbol")
let apple = symbol == "AAPL"

output days = unique(day)
output late = close[apple & (day >= "2024-01-03")]
output mean_close = segment_mean(close, symbol, 2)
output traded = nansum(where(apple, volume, 0))
output gaps = count_nonzero(isnan(volume))

# What a share of each would have lost at worst since its best day before.
let path = close[apple]
output drawdown = min(path/cummax(path) - 1)
output total = path[-1]/path[0] - 1
