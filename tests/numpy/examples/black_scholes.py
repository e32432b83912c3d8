import math

import numpy as np
from files import data, save

options = data("options.npz")
spot, strike, years, volatility, rate = (options[name] for name in ("spot", "strike", "years", "volatility", "rate"))
erfc = np.vectorize(math.erfc)


def below(x):
    return erfc(-x / np.sqrt(2)) / 2


deviation = volatility * np.sqrt(years)
d1 = (np.log(spot / strike) + (rate + volatility**2 / 2) * years) / deviation
d2 = d1 - deviation
discounted = strike * np.exp(-rate * years)
call = spot * below(d1) - discounted * below(d2)
put = discounted * below(-d2) - spot * below(-d1)

save(
    __file__,
    call=call,
    put=put,
    delta=below(d1),
    vega=spot * (np.exp(-d1 * d1 / 2) / np.sqrt(2 * np.pi)) * np.sqrt(years),
    parity_holds=np.allclose(call - put, spot - discounted, rtol=1e-12, atol=1e-12),
)
