# Random walks: how far each gets, where it ends, and how many of a thousand steps it is not below 0.
input step: f64[walk, time]
let path = cumsum(step, axis=1)
output result = stack([max(abs(path), axis=1), path[:, -1], sum(f64(path >= 0.0), axis=1)])
