import numpy as np
from files import save

start = np.zeros((16, 16), np.int32)
start[1:4, 1:4] = [[0, 1, 0], [0, 0, 1], [1, 1, 1]]
start[10, 8:11] = 1
life = start
for _ in range(100):
    near = sum(np.roll(life, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) - life
    life = ((near == 3) | (life == 1) & (near == 2)).astype(np.int32)

save(__file__, life=life, alive=life.sum(), changed=abs(life - start).sum())
