# Imaging: the exposure of an 8-bit picture corrected by a gain of each column, and its contrast stretched.
#
# The NumPy original:
#
#     bright = image + 40
#     corrected = image * gain
#     stretched = (image - image.min()) / (image.max() - image.min())
#     gray = 0.299 * image
#     background = image - dark

input image: u8[h, w] in [0, 255]
input dark: i16[h, w]
input gain: f16[w]

let bright = image + 40
let corrected = image * gain
let stretched = (image - min(image)) / (max(image) - min(image))
let gray = 0.299 * image
let background = image - dark
output shown = clip(corrected + stretched, 0, 255)
output mood = mean(gray) + mean(bright) - mean(background)
