# Grey from colour with integer weights that add up to 256.
input rgb: u8[y, x, 3]
let wide = u16(rgb)
output grey = u8((77*wide[..., 0] + 150*wide[..., 1] + 29*wide[..., 2]) >> 8)
