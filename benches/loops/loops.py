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


@numba.njit
def heat(plate, result):
    rows, columns = plate.shape
    before, after = plate.copy(), plate.copy()
    for _ in range(500):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                c = before[i, j]
                around = before[i + 1, j] + before[i - 1, j] + before[i, j + 1] + before[i, j - 1]
                after[i, j] = c + 0.2 * (around - 4.0 * c)
        before, after = after, before
    result[:] = before


def heat_by_numpy(plate):
    plate = plate.copy()
    for _ in range(500):
        c = plate[1:-1, 1:-1]
        around = plate[2:, 1:-1] + plate[:-2, 1:-1] + plate[1:-1, 2:] + plate[1:-1, :-2]
        plate[1:-1, 1:-1] = c + 0.2 * (around - 4.0 * c)
    return plate


@numba.njit
def life(start, result):
    rows, columns = start.shape
    before, after = start.copy(), np.empty_like(start)
    for _ in range(100):
        for i in range(rows):
            north, south = i - 1 if i > 0 else rows - 1, i + 1 if i + 1 < rows else 0
            for j in range(columns):
                west, east = j - 1 if j > 0 else columns - 1, j + 1 if j + 1 < columns else 0
                around = before[north, west] + before[north, j] + before[north, east] + before[i, west]
                around += before[i, east] + before[south, west] + before[south, j] + before[south, east]
                after[i, j] = around == 3 or (before[i, j] == 1 and around == 2)
        before, after = after, before
    result[:] = before


def life_by_numpy(start):
    life = start
    for _ in range(100):
        near = life + np.roll(life, 1, axis=1) + np.roll(life, -1, axis=1)
        around = near + np.roll(near, 1, axis=0) + np.roll(near, -1, axis=0) - life
        life = ((around == 3) | (life == 1) & (around == 2)).astype(np.int32)
    return life


@numba.njit
def kmeans(x, centres):
    points, axes = x.shape
    groups = centres.shape[0]
    centres[:] = x[:groups]
    for _ in range(20):
        sums, counts = np.zeros((groups, axes)), np.zeros(groups)
        for i in range(points):
            best, least = 0, np.inf
            for g in range(groups):
                far = 0.0
                for a in range(axes):
                    d = x[i, a] - centres[g, a]
                    far += d * d
                if far < least:
                    best, least = g, far
            counts[best] += 1.0
            for a in range(axes):
                sums[best, a] += x[i, a]
        for g in range(groups):
            for a in range(axes):
                centres[g, a] = sums[g, a] / counts[g]


def kmeans_by_numpy(x):
    centres = x[:8].copy()
    for _ in range(20):
        group = np.argmin(((x[:, None, :] - centres[None]) ** 2).sum(axis=2), axis=1)
        sums = np.stack([np.bincount(group, column, minlength=8) for column in x.T], axis=1)
        centres = sums / np.bincount(group, minlength=8)[:, None]
    return centres


@numba.njit
def logistic(x, y, weights):
    rows, columns = x.shape
    weights[:] = 0.0
    for _ in range(200):
        slope = np.zeros(columns)
        for i in range(rows):
            score = 0.0
            for j in range(columns):
                score += x[i, j] * weights[j]
            wrong = 1.0 / (1.0 + np.exp(-score)) - y[i]
            for j in range(columns):
                slope[j] += wrong * x[i, j]
        for j in range(columns):
            weights[j] -= 0.5 * slope[j] / rows


def logistic_by_numpy(x, y):
    weights = np.zeros(x.shape[1])
    for _ in range(200):
        wrong = 1.0 / (1.0 + np.exp(-(x @ weights))) - y
        weights = weights - 0.5 * (x.T @ wrong) / x.shape[0]
    return weights


@numba.njit
def walk(step, result):
    walks, times = step.shape
    for i in range(walks):
        place, far, above = 0.0, 0.0, 0.0
        for t in range(times):
            place += step[i, t]
            far = max(far, abs(place))
            above += place >= 0.0
        result[0, i], result[1, i], result[2, i] = far, place, above


def walk_by_numpy(step):
    path = np.cumsum(step, axis=1)
    return np.stack([np.abs(path).max(axis=1), path[:, -1], (path >= 0.0).sum(axis=1)])


def iir_by_numpy(x):
    z, y = np.zeros((4, x.shape[1])), np.empty_like(x)
    for t, v in enumerate(x):
        o = y[t] = B[0] * v + z[0]
        z[0] = B[1] * v - A[0] * o + z[1]
        z[1] = B[2] * v - A[1] * o + z[2]
        z[2] = B[3] * v - A[2] * o + z[3]
        z[3] = B[4] * v - A[3] * o
    return y


def mandelbrot_by_numpy(x, y):
    c = x[None, :] + 1j * y[:, None]
    z, count = np.zeros_like(c), np.zeros(c.shape, np.int32)
    for _ in range(200):
        inside = z.real * z.real + z.imag * z.imag <= 4.0
        z[inside] = z[inside] * z[inside] + c[inside]
        count += inside
    return count


def nbody_by_numpy(place, speed, mass):
    dt, soft = 0.001, 1e-4
    p, v = place, speed
    for _ in range(10):
        d = p[:, None, :] - p[:, :, None]
        r2 = (d * d).sum(axis=0) + soft
        v = v + dt * (d * (mass / (r2 * np.sqrt(r2)))).sum(axis=2)
        p = p + dt * v
    return p


def of_plane():
    return {"x": np.linspace(-2.0, 0.6, 1000), "y": np.linspace(-1.2, 1.2, 1000)}


def of_bodies():
    random = np.random.default_rng(3)
    place, speed = random.standard_normal((2, 3, 1000))
    return {"place": place, "speed": speed, "mass": random.random(1000)}


def of_box():
    return {"start": np.zeros((101, 101))}


def of_plate():
    plate = np.zeros((256, 256))
    plate[0] = 100.0
    return {"plate": plate}


def of_cells():
    return {"start": np.random.default_rng(4).integers(0, 2, (512, 512), dtype=np.int32)}


def of_points():
    random = np.random.default_rng(5)
    return {"x": random.standard_normal((20_000, 4)) + 4.0 * random.integers(0, 3, (20_000, 1))}


def of_rows():
    random = np.random.default_rng(6)
    x = random.standard_normal((20_000, 16))
    x[:, -1] = 1.0
    return {"x": x, "y": (x[:, 0] + random.standard_normal(20_000) > 0).astype(np.float64)}


def of_steps():
    return {"step": np.random.default_rng(7).standard_normal((10_000, 1000))}


def of_line():
    return {"x": np.random.default_rng(1).standard_normal(10_000_000)}


def of_channels():
    return {"x": np.random.default_rng(2).standard_normal((100_000, 64))}


def of_short_channels():
    return {"x": np.random.default_rng(2).standard_normal((1000, 64))}


@numba.njit
def nussinov(seq, table):
    n = seq.size
    table[:] = 0
    for i in range(n - 2, -1, -1):
        for j in range(i + 1, n):
            table[i, j] = max(table[i, j], table[i, j - 1])
            table[i, j] = max(table[i, j], table[i + 1, j])
            match = 1 if i < j - 1 and seq[i] + seq[j] == 3 else 0
            table[i, j] = max(table[i, j], table[i + 1, j - 1] + match)
            for k in range(i + 1, j):
                table[i, j] = max(table[i, j], table[i, k] + table[k + 1, j])


@numba.njit
def edits(a, b, d):
    for i in range(a.size + 1):
        d[i, 0] = i
    for j in range(b.size + 1):
        d[0, j] = j
    for i in range(a.size):
        for j in range(b.size):
            change = 0 if a[i] == b[j] else 1
            d[i + 1, j + 1] = min(min(d[i, j + 1], d[i + 1, j]) + 1, d[i, j] + change)


@numba.njit
def collatz(n, steps):
    for i in range(steps.size):
        x = n[i]
        c = 0
        while c < 1000 and x != 1:
            if x % 2 == 0:
                x = x // 2
            else:
                x = 3 * x + 1
            c += 1
        steps[i] = c


def of_bases():
    return {"seq": np.random.default_rng(11).integers(0, 4, 300)}


def of_words():
    random = np.random.default_rng(12)
    return {"a": random.integers(0, 20, 2000), "b": random.integers(0, 20, 2000)}


def of_numbers():
    return {"n": np.arange(1, 100_001)}


# What people write without Numba, where it is more than a loop over elements.
ARRAYS = {
    "iir": iir_by_numpy,
    "iir_short": iir_by_numpy,
    "mandelbrot": mandelbrot_by_numpy,
    "nbody": nbody_by_numpy,
    "heat": heat_by_numpy,
    "life": life_by_numpy,
    "kmeans": kmeans_by_numpy,
    "logistic": logistic_by_numpy,
    "walk": walk_by_numpy,
}

# Each with what makes its operands, the shape and the dtype of its result, and the script if its name is another.
LOOPS = {
    "ema": (ema, of_line, (10_000_000,), np.float64),
    "iir": (iir, of_channels, (100_000, 64), np.float64),
    "iir_short": (iir, of_short_channels, (1000, 64), np.float64, "iir"),
    "cavity": (cavity, of_box, (3, 101, 101), np.float64),
    "mandelbrot": (mandelbrot, of_plane, (1000, 1000), np.int32),
    "mandelbrot_abs": (mandelbrot_abs, of_plane, (1000, 1000), np.int32),
    "nbody": (nbody, of_bodies, (3, 1000), np.float64),
    "heat": (heat, of_plate, (256, 256), np.float64),
    "life": (life, of_cells, (512, 512), np.int32),
    "kmeans": (kmeans, of_points, (8, 4), np.float64),
    "logistic": (logistic, of_rows, (16,), np.float64),
    "walk": (walk, of_steps, (3, 10_000), np.float64),
    "nussinov": (nussinov, of_bases, (300, 300), np.int64),
    "edits": (edits, of_words, (2001, 2001), np.int64),
    "collatz": (collatz, of_numbers, (100_000,), np.int64),
}
