# Ten thousand random walks of a hundred normal steps: where they end, how far they get, and how many never go below 0.
promotion jax safe

let walks = 10_000
let steps = 100

# One key for the steps of all walks: the same walks on every machine.
let step = random.normal(random.key(2024), (walks, steps), f32)
let path = cumsum(step, axis=1)
let end = path[:, -1]

## In theory the square root of the number of steps.
output spread = std(end)
let (count, edge) = histogram(end, 12, range=(-30, 30))
output ends = count
output from = edge[:-1]
output furthest = mean(max(abs(path), axis=1))
output never_below = count_nonzero(all(path > 0, axis=1))

## The histogram: a row for each bin, and in it a 1 for every two percent of the walks.
output bars = i8(count[:, None] > (arange(12) + 1)*(walks // 50))
