# Fisher's irises: which flowers are far from the average one, in standard deviations?
promotion jax safe

## Sepal length, sepal width, petal length, petal width in cm; a row for each flower.
input flowers: f32[flower, 4] in [0, 10] = load("data/iris.npy")

let centre = mean(flowers, axis=0)
let spread = sqrt(mean((flowers - centre)**2, axis=0))
let z = (flowers - centre) / spread

output centre
output spread
output farthest = max(abs(z), axis=0)
output unusual_flowers = sum(where(max(abs(z), axis=1) > 2.5, 1, 0))
