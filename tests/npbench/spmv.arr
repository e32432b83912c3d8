# A sparse matrix, row by row, times a vector.
let n = 9
let lens = arange(n) * 5 % 4
let row = concat([[0], cumsum(lens)])
let nnz = 15
let col = arange(nnz) * 7 % n
let val = (arange(nnz) + 1) / 3.0
let x = arange(n)/9.0 + 1
output y = repeat n as i with y = zeros(n) {
  let cols = col[row[i]:row[i+1]]
  let vals = val[row[i]:row[i+1]]
  var next = y
  next[i] = vals @ x[cols]
  next
}
