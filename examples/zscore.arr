# Standard scores: every measurement of Fisher's irises as its distance from the column's mean, in standard deviations.
promotion jax safe

## Sepal length, sepal width, petal length, petal width in cm; a row for each flower.
input flowers: f32[flower, 4] in [0, 10] = load("data/iris.npy")

## Distances from the mean along an axis, in standard deviations of a sample.
fn z_scores(x, axis=0) {
  let center = mean(x, axis=axis, keepdims=true)
  (x - center) / std(x, axis=axis, ddof=1, keepdims=true)
}

let z = z_scores(flowers)

output scores = z
output most_unusual_flower = argmax(norm(z, axis=1))
output most_unusual_scores = z[argmax(norm(z, axis=1))]
output beyond_two = count_nonzero(abs(z) > 2, axis=0)
# Columns of standard scores: their products, averaged, are the correlations.
output correlations = sum(z[:, :, None] * z[:, None, :], axis=0) / (flower - 1)
