# Edges by Sobel's filter in sixteen bits: at most 4 * 255 either way.
input image: u8[y, x]
let wide = i16(image)
fn across(p: _[h, w]) -> _[h-2, w-2] =
  (p[:-2, 2:] + 2*p[1:-1, 2:] + p[2:, 2:]) - (p[:-2, :-2] + 2*p[1:-1, :-2] + p[2:, :-2])
let gx = across(wide)
let gy = across(wide.T).T
let strength = abs(gx) + abs(gy)
output edges = saturate(strength // 8, u8)
output strongest = max(strength)
