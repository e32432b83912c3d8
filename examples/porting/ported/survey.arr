# The answers to a survey: ranges prove that f32 holds every age, and f64 every count.

promotion jax safe

input ages: i32[n] in [0, 150]
input yes: i64[n] in [0, 1_000_000]
input total: i64[n] in [1, 1_000_000]
input weights: f32[n]

let centered = f64(ages) - mean(f64(ages))
let z = centered / std(f64(ages))
let share = yes / total
let weighted = sum(weights * f32(ages)) / sum(weights)
let logit = log(share / (1 - share))
output score = z * logit
output level = weighted
