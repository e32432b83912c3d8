# A recursive filter of order 4 over channels, in direct form II, transposed.
input x: f64[n, channel]
let b = [0.004824343357716, 0.019297373430865, 0.028946060146297, 0.019297373430865, 0.004824343357716]
let a = [-2.369513007182038, 2.313988414415880, -1.054665405878568, 0.187379492368185]
let zero = 0.0*x[0]
output result = scan x with z0 = zero, z1 = zero, z2 = zero, z3 = zero {
  let y = b[0]*x + z0
  (b[1]*x - a[0]*y + z1, b[2]*x - a[1]*y + z2, b[3]*x - a[2]*y + z3, b[4]*x - a[3]*y, y)
}
