# Operands of two widths.
input i: i16[n]
input x: f32[n]
output y = i + x
