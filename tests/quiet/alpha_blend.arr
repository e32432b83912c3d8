# One picture over another; weights add up to 255.
input front: u8[y, x]
input back: u8[y, x]
input alpha: u8[y, x]
let share = u16(alpha)
output blended = u8((u16(front)*share + u16(back)*(255 - share) + 127) // 255)
