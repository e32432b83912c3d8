let a = sqrt(abs(x))
let b = a // 0.5
output s = sum(a * b)
