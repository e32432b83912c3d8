# Two outer products, and two products with vectors.
let n = 9
fn made(k) = arange(n) * k % 11 / 11.0
var a = reshape(arange(n * n), n, n) * 37 % 41 / 41.0
a += outer(made(2), made(3)) + outer(made(4), made(5))
var x = zeros(n)
x += 1.2*made(6)@a + made(7)
var w = zeros(n)
w += 1.5 * a @ x
output a
output x
output w
