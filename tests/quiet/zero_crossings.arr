# How often the sign of a signal changes, and where it is loudest.
input samples: i16[t]
let above = samples >= 0
output crossings = count_nonzero(above[1:] != above[:-1])
output rate = count_nonzero(above[1:] != above[:-1]) / t
output loudest = argmax(abs(i32(samples))) / t
