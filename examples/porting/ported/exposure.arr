# The exposure of a picture, in f32 under every system; what is added to it saturates.

promotion jax safe

input image: u8[h, w] in [0, 255]
input dark: i16[h, w]
input gain: f16[w]

let pixels = f32(image)
let bright = saturate(i16(image) + 40, u8)
let corrected = pixels * f32(gain)
let stretched = (pixels - min(pixels)) / (max(pixels) - min(pixels))
let gray = 0.299 * pixels
let background = pixels - f32(dark)
output shown = clip(corrected + stretched, 0, 255)
output mood = mean(gray) + mean(f32(bright)) - mean(background)
