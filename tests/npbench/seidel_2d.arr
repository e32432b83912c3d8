# Gauss-Seidel: each element from neighbours of which four are new already.
let n = 9
let i = arange(n)[:, None] * 1.0
let j = arange(n)[None, :] * 1.0
let a = repeat 4 with a = (i * (j + 2) + 2) / n {
  let rows = scan here = a[1:-1], below = a[2:] with above = a[0] {
    let known = above[:-2] + above[1:-1] + above[2:] + here[1:-1] + here[2:] + below[:-2] + below[1:-1] + below[2:]
    let middle = scan known with left = here[0] {
      let new = (left + known) / 9
      (new, new)
    }
    let row = concat([here[:1], middle, here[-1:]])
    (row, row)
  }
  concat([a[:1], rows, a[-1:]])
}
output a
