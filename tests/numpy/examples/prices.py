import numpy as np
from files import ROOT, save

table = np.genfromtxt(ROOT / "examples/data/prices.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
day = table["date"].astype("datetime64[D]").astype(np.int64)
close, volume = table["close"], np.where(table["volume"] == -1, np.nan, table["volume"])
words, symbol = np.unique(table["symbol"], return_inverse=True)
apple = table["symbol"] == "AAPL"
path = close[apple]

save(
    __file__,
    days=np.unique(day),
    late=close[apple & (table["date"] >= "2024-01-03")],
    mean_close=np.bincount(symbol, weights=close) / np.bincount(symbol),
    traded=np.nansum(volume[apple]),
    gaps=np.isnan(volume).sum(),
    drawdown=(path / np.maximum.accumulate(path) - 1).min(),
    total=path[-1] / path[0] - 1,
)
