# Yearly sunspot numbers by recursive filters: an exponential average, forwards and back, and a low pass of order 4.
promotion numpy safe

## Yearly means since 1700.
input activity: f64[year] in [0, 1000] = load("data/sunspots.npy")

# The next average from the last one and this year's number.
let forwards = scan activity with s = activity[0] {
  let s = 0.9*s + 0.1*activity
  (s, s)
}
output average = scan forwards reverse with s = forwards[-1] {
  let s = 0.9*s + 0.1*forwards
  (s, s)
}

# Butterworth's low pass of order 4 with half the power left at ten years: the transfer function in direct form II.
let b = [0.004824343357716, 0.019297373430865, 0.028946060146297, 0.019297373430865, 0.004824343357716]
let a = [-2.369513007182038, 2.313988414415880, -1.054665405878568, 0.187379492368185]
output low = scan x = activity with z0 = 0.0, z1 = 0.0, z2 = 0.0, z3 = 0.0 {
  let y = b[0]*x + z0
  (b[1]*x - a[0]*y + z1, b[2]*x - a[1]*y + z2, b[3]*x - a[2]*y + z3, b[4]*x - a[3]*y, y)
}
