# Which of Fisher's irises are virginica: logistic regression by gradient steps.
promotion numpy safe

## Sepal length, sepal width, petal length, petal width in cm; a row for each flower.
input flowers: f32[flower, 4] in [0, 10] = load("data/iris.npy")

# The last hundred, half of which are virginica, with each measure in standard deviations from its mean.
let both = f64(flowers)[50:150]
let x = (both - mean(both, axis=0)) / std(both, axis=0)
let virginica = f64(arange(100) >= 50)

let (weights, bias) = repeat 500 with weights = zeros(4), bias = 0.0 {
  let wrong = sigmoid(x@weights + bias) - virginica
  (weights - 0.5*(x.T @ wrong)/100.0, bias - 0.5*mean(wrong))
}

let likely = sigmoid(x@weights + bias)
output weights
output bias
output loss = -mean(log(where(virginica > 0.5, likely, 1.0 - likely)))
output right = sum(i64((likely > 0.5) == (virginica > 0.5)))
