fn f(x, y=2) = x * y

f([1u8, 200])

fn f(x) = x[5]

f([1, 2])

let (q, r) = (f([1, 2, 3, 4, 5, 6]), missing)

q
