clip(j, -5, 5)
where(j > 0, l, o)
minimum(h, e)
maximum(n, 7)
