import numpy as np
from files import ROOT, save

lat, lon = np.radians(np.loadtxt(ROOT / "examples/data/cities.csv", delimiter=",", skiprows=1, usecols=(0, 1))).T
h = np.sin((lat - lat[:, None]) / 2) ** 2
h += np.cos(lat[:, None]) * np.cos(lat) * np.sin((lon - lon[:, None]) / 2) ** 2
km = 6371.0088 * 2 * np.arcsin(np.sqrt(np.minimum(h, 1)))
apart = km.copy()
np.fill_diagonal(apart, np.inf)

save(
    __file__,
    from_tokyo=km[0],
    neighbour=apart.argmin(axis=1),
    neighbour_km=apart.min(axis=1),
    farthest_apart=km.max(),
    farthest_pair=np.stack(np.unravel_index(km.argmax(), km.shape)),
    most_central=km.mean(axis=1).argmin(),
    loneliest=apart.min(axis=1).argmax(),
)
