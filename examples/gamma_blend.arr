# A picture in eight bits: gamma by a table of 256 entries, then blended with its mirror image, in integers.
promotion jax safe

let image: u8[y, x, channel] = load("data/image.npy")
## Below 1 brightens.
input exponent: f32 in [0.1, 10] = 0.45
## How much of the mirror image shows, in parts of 255.
input alpha: u8 = 96

## What a gamma makes of each of the 256 values, rounded.
fn gamma_table(exponent) = saturate(255 * (f32(arange(256)) / 255)**exponent, u8)

## a and b in shares of 255 - alpha and alpha. The sum needs 16 bits: at most 255 * 255, and 127 to round.
fn blend(a, b, alpha) {
  let share = u16(alpha)
  u8((u16(a)*(255 - share) + u16(b)*share + 127) // 255)
}

let table = gamma_table(exponent)
let brighter = take(table, image)

output table
output brighter
output blended = blend(brighter, brighter[:, ::-1], alpha)
# Pixels whose plain sum would wrap in u8, which is what the wider sum above avoids.
output would_wrap = count_nonzero(u16(brighter) + image > 255)
output mean_before = mean(image, axis=(0, 1))
output mean_after = mean(blended, axis=(0, 1))
