# Logistic regression by two hundred gradient steps: weights of the columns, the last of which is the bias's.
input x: f64[row, column]
input y: f64[row]
output result = repeat 200 with weights = zeros(x.shape[1]) {
  let wrong = sigmoid(x @ weights) - y
  weights - 0.5*(x.T @ wrong)/f64(x.shape[0])
}
