import numpy as np
from files import save

plate, steps = np.zeros((24, 24)), 0
plate[0] = 100
while plate[12, 12] < 12.5:
    c = plate[1:-1, 1:-1]
    new = plate.copy()
    new[1:-1, 1:-1] = c + 0.2 * (plate[2:, 1:-1] + plate[:-2, 1:-1] + plate[1:-1, 2:] + plate[1:-1, :-2] - 4 * c)
    plate, steps = new, steps + 1

save(__file__, steps=steps, middle=plate[:, 12], total=plate.sum())
