# A photograph in eight bits: brighten it without wrapping, and compare brightness as the eye and as physics see it.
promotion jax safe

## Grey values.
input image: u8[y, x] = load("data/camera.npy")
## Factor of the exposure, in quarters: 6 is 1.5 times as bright.
input quarters: u16 in [0, 257] = 6

# In u8 the product would wrap at 255; in u16 it fits, as 257 * 255 does, and the result is cut to eight bits.
let brighter = u8(minimum(u16(image) * quarters // 4, 255))

# Linear light of an sRGB-like gamma.
let light = (f32(image) / 255)**2.2

output brightest_before = max(image)
output brightest_after = max(brighter)
output clipped = sum(where(brighter == 255, 1, 0))
output mean_grey = mean(f32(image)) / 255
output mean_light = mean(light)
brighter
