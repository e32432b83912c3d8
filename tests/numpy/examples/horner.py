import numpy as np
from files import data, save

weather = data("weather.npz")
coefficients = [6.107799961, 4.436518521e-1, 1.428945805e-2, 2.650648471e-4, 3.031240396e-6, 2.034080948e-8, 6.136820929e-11]
saturation = np.polynomial.Polynomial(coefficients)
slope = saturation.deriv()
celsius = weather["tenths"] / 10
pressure = saturation(celsius) * weather["humidity"] / 100
dew_point = celsius
for _ in range(5):
    dew_point = dew_point - (saturation(dew_point) - pressure) / slope(dew_point)

save(
    __file__,
    pressure=pressure,
    dew_point=dew_point,
    residual=np.abs(saturation(dew_point) - pressure).max(),
    dampest_hour=np.argmin(celsius - dew_point),
)
