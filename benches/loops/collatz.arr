# How many steps lead from each number to 1: half of what is even, and one more than three times what is odd.
input n: i64[k]
output result = repeat k as i with steps = zeros(k, dtype=i64) {
  let (x, c) = repeat 1000 while x != 1 with x = n[i], c = 0 {
    (where(x%2 == 0, x // 2, 3*x + 1), c + 1)
  }
  var steps = steps
  steps[i] = c
  steps
}
