"""The loops as users of Numba write them, and what they run on. The last argument takes the result."""

import numba
import numpy as np

B = np.array([0.004824343357716, 0.019297373430865, 0.028946060146297, 0.019297373430865, 0.004824343357716])
A = np.array([-2.369513007182038, 2.313988414415880, -1.054665405878568, 0.187379492368185])


@numba.njit
def ema(x, y):
    s = x[0]
    for i in range(x.size):
        s = 0.9 * s + 0.1 * x[i]
        y[i] = s


@numba.njit
def iir(x, y):
    steps, channels = x.shape
    z = np.zeros((4, channels))
    for t in range(steps):
        for c in range(channels):
            v = x[t, c]
            o = B[0] * v + z[0, c]
            z[0, c] = B[1] * v - A[0] * o + z[1, c]
            z[1, c] = B[2] * v - A[1] * o + z[2, c]
            z[2, c] = B[3] * v - A[2] * o + z[3, c]
            z[3, c] = B[4] * v - A[3] * o
            y[t, c] = o


@numba.njit
def mandelbrot(x, y, n):
    for i in range(y.size):
        for j in range(x.size):
            c = complex(x[j], y[i])
            z = 0j
            k = 0
            while k < 200 and z.real * z.real + z.imag * z.imag <= 4.0:
                z = z * z + c
                k += 1
            n[i, j] = k


@numba.njit
def mandelbrot_abs(x, y, n):
    for i in range(y.size):
        for j in range(x.size):
            c = complex(x[j], y[i])
            z = 0j
            k = 0
            while k < 200 and abs(z) <= 2.0:
                z = z * z + c
                k += 1
            n[i, j] = k


@numba.njit
def nbody(place, speed, mass, p):
    steps, dt, soft = 10, 0.001, 1e-4
    p[:], v = place, speed.copy()
    bodies = mass.size
    for _ in range(steps):
        for i in range(bodies):
            ax = ay = az = 0.0
            for j in range(bodies):
                dx, dy, dz = p[0, j] - p[0, i], p[1, j] - p[1, i], p[2, j] - p[2, i]
                r2 = dx * dx + dy * dy + dz * dz + soft
                pull = mass[j] / (r2 * np.sqrt(r2))
                ax += dx * pull
                ay += dy * pull
                az += dz * pull
            v[0, i] += dt * ax
            v[1, i] += dt * ay
            v[2, i] += dt * az
        for axis in range(3):
            for i in range(bodies):
                p[axis, i] += dt * v[axis, i]


@numba.njit
def cavity(start, result):
    steps, sweeps, h, dt, nu = 700, 50, 2.0 / 100, 1.0 / 1000, 0.1
    u, v, p = start.copy(), start.copy(), start.copy()
    last = start.shape[0] - 1
    b, before, u_before, v_before = np.zeros_like(p), p.copy(), u.copy(), v.copy()
    for _ in range(steps):
        for i in range(1, last):
            for j in range(1, last):
                ux = (u[i, j + 1] - u[i, j - 1]) / (2.0 * h)
                uy = (u[i + 1, j] - u[i - 1, j]) / (2.0 * h)
                vx = (v[i, j + 1] - v[i, j - 1]) / (2.0 * h)
                vy = (v[i + 1, j] - v[i - 1, j]) / (2.0 * h)
                b[i, j] = (ux + vy) / dt - ux * ux - 2.0 * (uy * vx) - vy * vy
        for _ in range(sweeps):
            p, before = before, p
            for i in range(1, last):
                for j in range(1, last):
                    around = before[i, j + 1] + before[i, j - 1] + before[i + 1, j] + before[i - 1, j]
                    p[i, j] = (around - h * h * b[i, j]) * 0.25
            for i in range(1, last):
                p[i, last] = p[i, last - 1]
                p[i, 0] = p[i, 1]
            for j in range(1, last):
                p[0, j] = p[1, j]
            p[0, last] = p[1, last]
            p[0, 0] = p[0, 1]
            p[last, :] = 0.0
        u, u_before, v, v_before = u_before, u, v_before, v
        for i in range(1, last):
            for j in range(1, last):
                for w, w_before, slope in (
                    (u, u_before, p[i, j + 1] - p[i, j - 1]),
                    (v, v_before, p[i + 1, j] - p[i - 1, j]),
                ):
                    c, west, east = w_before[i, j], w_before[i, j - 1], w_before[i, j + 1]
                    south, north = w_before[i - 1, j], w_before[i + 1, j]
                    drift = u_before[i, j] * (c - west) + v_before[i, j] * (c - south) + 0.5 * slope
                    w[i, j] = c - dt / h * drift + nu * dt / (h * h) * (east + west + north + south - 4.0 * c)
        for w, lid in ((u, 1.0), (v, 0.0)):
            w[0, :] = 0.0
            w[:, 0] = 0.0
            w[:, last] = 0.0
            w[last, :] = lid
    result[0], result[1], result[2] = u, v, p


def of_plane():
    return {"x": np.linspace(-2.0, 0.6, 1000), "y": np.linspace(-1.2, 1.2, 1000)}


def of_bodies():
    random = np.random.default_rng(3)
    place, speed = random.standard_normal((2, 3, 1000))
    return {"place": place, "speed": speed, "mass": random.random(1000)}


def of_box():
    return {"start": np.zeros((101, 101))}


def of_line():
    return {"x": np.random.default_rng(1).standard_normal(10_000_000)}


def of_channels():
    return {"x": np.random.default_rng(2).standard_normal((100_000, 64))}


def of_short_channels():
    return {"x": np.random.default_rng(2).standard_normal((1000, 64))}


# Each with what makes its operands, the shape and the dtype of its result, and the script if its name is another.
LOOPS = {
    "ema": (ema, of_line, (10_000_000,), np.float64),
    "iir": (iir, of_channels, (100_000, 64), np.float64),
    "iir_short": (iir, of_short_channels, (1000, 64), np.float64, "iir"),
    "cavity": (cavity, of_box, (3, 101, 101), np.float64),
    "mandelbrot": (mandelbrot, of_plane, (1000, 1000), np.int32),
    "mandelbrot_abs": (mandelbrot_abs, of_plane, (1000, 1000), np.int32),
    "nbody": (nbody, of_bodies, (3, 1000), np.float64),
}
