# Edges in a photograph: windows of 3 by 3 pixels, their median against noise, and Sobel's slopes.
promotion numpy safe

## Grey values.
input image: u8[y, x] = load("data/camera.npy")

# The margin repeats the pixels of the border.
let rows = concat([image[:1], image, image[-1:]])
let grey = concat([rows[:, :1], rows, rows[:, -1:]], axis=1)

let window = sliding_window_view(f64(grey), (3, 3))

output smooth = median(window, axis=(2, 3))

let kernel = [[1.0, 0.0, -1.0], [2.0, 0.0, -2.0], [1.0, 0.0, -1.0]]
let across = sum(window * kernel, axis=(2, 3))
let down = sum(window * kernel.T, axis=(2, 3))
let slope = hypot(across, down)

output strongest = max(slope)
output edges = count_nonzero(slope > 200)
output slope
