# Yearly sunspot numbers as a distribution: order, quantiles, counts in bins, and the years that stand out.
promotion numpy safe

## Yearly means since 1700.
input activity: f64[year] in [0, 1000] = load("data/sunspots.npy")

let years = 1700 + arange(year)

output middle = median(activity)
output quartiles = quantile(activity, [0.25, 0.5, 0.75])
let (counts, edges) = histogram(activity, bins=8, range=(0, 200))
output counts
output edges
output strongest = years[argsort(activity)[-5:]]

# How many years are above 150 only the data decides: it is a length of its own.
let loud = activity > 150
output loud_years = years[loud]
output mean_of_loud = mean(activity[loud])
# Years of each century, and the calm ones among them.
let century = years // 100
output centuries = unique(century)
output calm = bincount(century[activity < 10] - 17, minlength=4)
# Between two years lies a line.
output in_the_middle_of_1957 = interp(1957.5, years, activity)
output share_below_100 = searchsorted(sort(activity), 100.0) / year
