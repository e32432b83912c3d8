import numpy as np
from files import data, save

activity = data("sunspots.npy")
cycle = np.convolve(activity, np.full(11, 1 / 11), mode="valid")
whole = activity.copy()
whole[5:-5] = cycle

save(
    __file__,
    smooth=np.convolve(activity, np.full(3, 1 / 3), mode="valid"),
    cycle=cycle,
    deviation=activity[5:-5] - cycle,
    strongest_cycle_year=1705 + np.argmax(cycle),
    newest=whole[-11:],
    decades=activity[:300].reshape(30, 10).mean(axis=1),
)
