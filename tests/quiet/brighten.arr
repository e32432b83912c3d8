# Brighter by half, in sixteen bits, cut to eight at the end.
input image: u8[y, x, 3]
input gain: u16 in [0, 256] = 3
output brighter = saturate(u16(image) * gain // 2, u8)
output clipped = count_nonzero(u16(image) * gain // 2 > 255)
