# How many edits make one word of another: the distances of all their beginnings.
input a: i64[n]
input b: i64[m]
output result = repeat n as i with d = arange(n + 1)[:, None] + arange(m + 1) {
  repeat m as j with d = d {
    let change = where(a[i] == b[j], 0, 1)
    var d = d
    d[i+1, j+1] = minimum(minimum(d[i, j+1], d[i+1, j]) + 1, d[i, j] + change)
    d
  }
}
