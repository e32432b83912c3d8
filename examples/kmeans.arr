# Fisher's irises in three groups by k-means: centres move to the mean of what is nearest until nothing changes.
promotion numpy safe

## Sepal length, sepal width, petal length, petal width in cm; a row for each flower.
input flowers: f32[flower, 4] in [0, 10] = load("data/iris.npy")

let x = f64(flowers)
let first = stack([x[0], x[50], x[100]])

fn nearest(x, centres) = argmin(sum((x[:, None, :] - centres[None, :, :])**2, axis=2), axis=1)

let (centres, moved, rounds) = repeat 100 while moved > 0.0 with centres = first, moved = 1.0, rounds = 0 {
  let group = nearest(x, centres)
  let own = f64(group[:, None] == arange(3)[None, :])
  let sums = sum(own[:, :, None] * x[:, None, :], axis=0)
  let next = sums / sum(own, axis=0)[:, None]
  (next, max(abs(next - centres)), rounds + 1)
}

output centres
output rounds
output sizes = sum(i64(nearest(x, centres)[:, None] == arange(3)[None, :]), axis=0)
