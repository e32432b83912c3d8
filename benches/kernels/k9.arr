# Two pictures blended three to one, without wrapping.
input a: u8[n]
input b: u8[n]
output y = u8((u16(a)*3 + u16(b)) // 4)
