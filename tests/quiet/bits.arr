# Flags taken apart, colours packed and unpacked.
input pixel: u16[n]
let red = (pixel >> 11) & 31
let green = (pixel >> 5) & 63
let blue = pixel & 31
output rgb = stack((u8(red << 3 | red >> 2), u8(green << 2 | green >> 4), u8(blue << 3 | blue >> 2)), axis=-1)
output again = red << 11 | green << 5 | blue
output lowest = pixel & -pixel
output parity = popcount(pixel) & 1
