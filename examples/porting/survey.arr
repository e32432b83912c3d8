# Statistics: means, scores and a correlation of the answers to a survey, as counts.
#
# The NumPy original:
#
#     centered = ages - ages.mean()
#     z = centered / ages.std()
#     share = yes / total
#     weighted = (weights * ages).sum() / weights.sum()
#     logit = np.log(share / (1 - share))

input ages: i32[n]
input yes: i64[n]
input total: i64[n]
input weights: f32[n]

let centered = ages - mean(ages)
let z = centered / std(ages)
let share = yes / total
let weighted = sum(weights * ages) / sum(weights)
let logit = log(share / (1 - share))
output score = z * logit
output level = weighted
