# RGB to YUV as video wants it (BT.601, 16 to 235), in integers; the colour at half the resolution; and back.
promotion jax safe

## A picture; halves of its sides are whole numbers.
let image: u8[2*h, 2*w, 3] = load("data/image.npy")
let rgb = i32(image)
let (r, g, b) = (rgb[..., 0], rgb[..., 1], rgb[..., 2])

## x / 256, rounded.
fn scaled(x) = (x + 128) >> 8

let y = scaled(66*r + 129*g + 25*b) + 16
let u = scaled(-38*r - 74*g + 112*b) + 128
let v = scaled(112*r - 94*g - 18*b) + 128

## The average of squares of four, rounded.
fn halved(x) = (x[::2, ::2] + x[1::2, ::2] + x[::2, 1::2] + x[1::2, 1::2] + 2) >> 2

## Every element four times: a row and a column more for each.
fn doubled(x: _[h, w]) = reshape(broadcast_to(x[:, None, :, None], (h, 2, w, 2)), 2 * h, 2 * w)

output luma = u8(y)
output chroma = u8(stack((halved(u), halved(v))))

let (c, d, e) = (298 * (y - 16), doubled(halved(u)) - 128, doubled(halved(v)) - 128)
let back = stack((scaled(c + 409*e), scaled(c - 100*d - 208*e), scaled(c + 516*d)), axis=-1)
output restored = saturate(back, u8)
output worst_error = max(abs(i32(restored) - rgb), axis=(0, 1))
