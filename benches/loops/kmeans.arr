# Eight centres of points, moved twenty times to the mean of what is nearest.
input x: f64[point, axis]
fn nearest(x, centres) = argmin(sum((x[:, None, :] - centres[None, :, :])**2, axis=2), axis=1)
output result = repeat 20 with centres = x[:8] {
  let group = nearest(x, centres)
  segment_sum(x, group, 8) / f64(bincount(group, length=8))[:, None]
}
