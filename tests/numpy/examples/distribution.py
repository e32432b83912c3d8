import numpy as np
from files import data, save

activity = data("sunspots.npy")
years = 1700 + np.arange(activity.size)
counts, edges = np.histogram(activity, bins=8, range=(0, 200))
loud = activity > 150
century = years // 100

save(
    __file__,
    middle=np.median(activity),
    quartiles=np.quantile(activity, [0.25, 0.5, 0.75]),
    counts=counts,
    edges=edges,
    strongest=years[np.argsort(activity, kind="stable")[-5:]],
    loud_years=years[loud],
    mean_of_loud=activity[loud].mean(),
    centuries=np.unique(century),
    calm=np.bincount(century[activity < 10] - 17, minlength=4),
    in_the_middle_of_1957=np.interp(1957.5, years, activity),
    share_below_100=np.searchsorted(np.sort(activity), 100.0) / activity.size,
)
