# The most pairs that a strand can fold into: a table from below.
let n = 13
let seq = (arange(n) + 1) * 7 % 5 % 4
fn match(b1, b2) = where(b1 + b2 == 3, 1, 0)
output table = repeat n - 1 as down with table = zeros((n, n), dtype=i64) {
  let i = n - 2 - down
  repeat n - 1 - i as right with table = table {
    let j = i + 1 + right
    var t = table
    t[i, j] = maximum(t[i, j], t[i, j-1])
    t[i, j] = maximum(t[i, j], t[i+1, j])
    t[i, j] = maximum(t[i, j], t[i+1, j-1] + where(i < j - 1, match(seq[i], seq[j]), 0))
    repeat j - i - 1 as s with t = t {
      let k = i + 1 + s
      var t = t
      t[i, j] = maximum(t[i, j], t[i, k] + t[k+1, j])
      t
    }
  }
}
