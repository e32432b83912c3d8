# The mean of squared differences.
input a: _[n]
input b: _[n]
output y = mean((a - b)**2)
