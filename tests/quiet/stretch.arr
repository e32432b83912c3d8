# Contrast stretched to the full scale.
input image: u8[y, x]
let (low, high) = (min(image), max(image))
let span = maximum(high - low, 1)
output stretched = saturate(f32(image - low) * 255 / f32(span), u8)
