# A negative, its darkest point, and how much of the picture is black.
input image: u8[y, x]
let inverse = 255 - image
output inverse
output darkest = min(inverse)
output black = count_nonzero(image == 0) / image.size
