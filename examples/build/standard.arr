# Standard scores of a table's columns, and the row that is farthest from the average one: for programs without arr.
promotion jax safe

## A row for each observation.
input x: f32[n, m]

let z = (x - mean(x, axis=0)) / std(x, axis=0)
output scores = z
output farthest = argmax(sum(z * z, axis=1))
