# Conway's game of life on a torus: a hundred generations.
input start: i32[row, column]
output result = repeat 100 with life = start {
  let near = life + roll(life, 1, axis=1) + roll(life, -1, axis=1)
  let around = near + roll(near, 1, axis=0) + roll(near, -1, axis=0) - life
  i32((around == 3) or (life == 1) and (around == 2))
}
