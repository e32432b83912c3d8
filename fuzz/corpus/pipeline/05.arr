i8(i) << u8(3)
bitcast(x, u32) & 255u32
saturate(y, i16)
