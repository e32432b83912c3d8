# Distances on a sphere.
let k = arange(20)
let theta1 = k * 37 % 41 / 41.0
let phi1 = k * 29 % 31 / 31.0
let theta2 = k * 19 % 23 / 23.0
let phi2 = k * 11 % 13 / 13.0
let temp = sin((theta2 - theta1) / 2)**2 + cos(theta1)*cos(theta2)*sin((phi2 - phi1) / 2)**2
output distance = 2 * atan2(sqrt(temp), sqrt(1 - temp))
