# Every column of the table is read; two of them are added to compare them with what other libraries read.
input id: i64[n]
input day: date[n]
input symbol: _[n]
input open: f64[n]
input close: f64[n]
input volume: i64[n]
input ratio: f64[n]
input flag: bool[n]

output total = sum(volume)
output ratios = sum(ratio)
output rows = len(ratio)
output others = id[-1] + day[-1] + symbol[-1] + open[-1] + close[-1] + i64(flag[-1])
