input x: f64[n]
input c: bool[n]
input u: i8[n] in [0, 3]
let z = repeat 20 as t with s = u + 0 { let t8 = where(t < 4, 1i8, 0i8); var s = s; let r = s; s[s < 10] += 2; s[1:] += 1; s }
z * 100
output z