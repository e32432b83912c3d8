# The most pairs that a strand of bases can fold into: a table from below.
input seq: i64[n]
output result = repeat n - 1 as down with table = zeros((n, n), dtype=i64) {
  let i = n - 2 - down
  repeat n - 1 - i as right with table = table {
    let j = i + 1 + right
    let match = where((i < j - 1) & (seq[i] + seq[j] == 3), 1, 0)
    var table = table
    table[i, j] = maximum(table[i, j], table[i, j-1])
    table[i, j] = maximum(table[i, j], table[i+1, j])
    table[i, j] = maximum(table[i, j], table[i+1, j-1] + match)
    repeat j - i - 1 as s with table = table {
      let k = i + 1 + s
      var table = table
      table[i, j] = maximum(table[i, j], table[i, k] + table[k+1, j])
      table
    }
  }
}
