# Conway's game of life on a torus: a glider and an oscillator after a hundred generations.
promotion numpy safe

fn neighbours(alive) {
  let near = alive + roll(alive, 1, axis=1) + roll(alive, -1, axis=1)
  near + roll(near, 1, axis=0) + roll(near, -1, axis=0) - alive
}

# A glider above, three in a row below.
var start = zeros((16, 16), dtype=i32)
start[1:4, 1:4] = [[0i32, 1, 0], [0, 0, 1], [1, 1, 1]]
start[10, 8:11] = 1

let life = repeat 100 with life = start {
  let near = neighbours(life)
  i32((near == 3i32) or (life == 1i32) and (near == 2i32))
}

output life
output alive = sum(life)
output changed = sum(abs(life - start))
