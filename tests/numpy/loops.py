"""The kernels of tests/npbench with plain loops of NumPy; writes loops.txt: output and values, a line each."""

from pathlib import Path

import numpy as np

found = {}


def kernel(function):
    found[function.__name__] = function()


@kernel
def jacobi_1d():
    n = 30
    a, b = (np.arange(n) + 2) / n, (np.arange(n) + 3) / n
    for _ in range(9):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])
    return dict(a=a, b=b)


@kernel
def jacobi_2d():
    n = 12
    i, j = np.mgrid[:n, :n] * 1.0
    a, b = i * (j + 2) / n, i * (j + 3) / n
    for _ in range(7):
        for x, y in ((a, b), (b, a)):
            y[1:-1, 1:-1] = 0.2 * (x[1:-1, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:] + x[2:, 1:-1] + x[:-2, 1:-1])
    return dict(a=a, b=b)


@kernel
def heat_3d():
    n = 7
    i, j, k = np.mgrid[:n, :n, :n]
    a = (i + j + (n - k)) * 10.0 / n
    b = a.copy()
    for _ in range(5):
        for x, y in ((a, b), (b, a)):
            c = x[1:-1, 1:-1, 1:-1]
            y[1:-1, 1:-1, 1:-1] = (
                0.125 * (x[2:, 1:-1, 1:-1] - 2 * c + x[:-2, 1:-1, 1:-1])
                + 0.125 * (x[1:-1, 2:, 1:-1] - 2 * c + x[1:-1, :-2, 1:-1])
                + 0.125 * (x[1:-1, 1:-1, 2:] - 2 * c + x[1:-1, 1:-1, :-2])
                + c
            )
    return dict(a=a, b=b)


@kernel
def seidel_2d():
    n = 9
    i, j = np.mgrid[:n, :n] * 1.0
    a = (i * (j + 2) + 2) / n
    for _ in range(4):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                a[i, j] = a[i - 1 : i + 2, j - 1 : j + 2].sum() / 9
    return dict(a=a)


@kernel
def mandelbrot():
    c = np.linspace(-2.25, 0.75, 16) + np.linspace(-1.25, 1.25, 12)[:, None] * 1j
    z, n = np.zeros_like(c), np.zeros(c.shape, int)
    for _ in range(20):
        on = abs(z) < 2
        z[on] = z[on] ** 2 + c[on]
        n[on] += 1
    return dict(n=n, re=z.real, im=z.imag)


@kernel
def floyd_warshall():
    n = 14
    i, j = np.mgrid[:n, :n]
    p = i * j % 7 + 1
    p[((i + j) % 13 == 0) | ((i + j) % 7 == 0) | ((i + j) % 11 == 0)] = 999
    for k in range(n):
        for i in range(n):
            for j in range(n):
                p[i, j] = min(p[i, j], p[i, k] + p[k, j])
    return dict(paths=p)


@kernel
def deriche():
    h, w = 8, 10
    i, j = np.mgrid[:h, :w]
    img = ((313 * i + 991 * j) % 65536) / 65535.0
    alpha = 0.25
    k = (1 - np.exp(-alpha)) ** 2 / (1 + alpha * np.exp(-alpha) * 2 - np.exp(2 * alpha))
    a1, a2 = k, k * np.exp(-alpha) * (alpha - 1)
    a3, a4 = k * np.exp(-alpha) * (alpha + 1), -k * np.exp(-2 * alpha)
    b1, b2 = 2.0**-alpha, -np.exp(-2 * alpha)

    def across(img):
        y1, y2 = np.zeros_like(img), np.zeros_like(img)
        for i in range(img.shape[0]):
            ym1 = ym2 = xm1 = 0.0
            for j in range(img.shape[1]):
                y1[i, j] = a1 * img[i, j] + a2 * xm1 + b1 * ym1 + b2 * ym2
                xm1, ym2, ym1 = img[i, j], ym1, y1[i, j]
            yp1 = yp2 = xp1 = xp2 = 0.0
            for j in reversed(range(img.shape[1])):
                y2[i, j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2
                xp2, xp1, yp2, yp1 = xp1, img[i, j], yp1, y2[i, j]
        return y1 + y2

    return dict(edges=across(across(img).T).T)


@kernel
def durbin():
    n = 16
    r = (n + 1 - np.arange(n)) * 1.0
    y = np.zeros(n)
    y[0] = alpha = -r[0]
    beta = 1.0
    for k in range(1, n):
        beta *= 1 - alpha * alpha
        alpha = -(r[k] + np.dot(r[:k][::-1], y[:k])) / beta
        y[:k] = y[:k] + alpha * y[:k][::-1]
        y[k] = alpha
    return dict(y=y)


@kernel
def thomas():
    n, m = 9, 4
    i, q = np.mgrid[:n, :m] * 1.0
    low, mid, up = 0.5 + 0.01 * i, 4 + 0.1 * q + 0.05 * i, 0.25 + 0.02 * q
    rhs = 1 + i * (q + 1) % 5
    x = np.zeros((n, m))
    for column in range(m):
        system = np.diag(mid[:, column]) + np.diag(low[1:, column], -1) + np.diag(up[:-1, column], 1)
        x[:, column] = np.linalg.solve(system, rhs[:, column])
    return dict(x=x)


@kernel
def adi():
    n, steps = 8, 3
    i, j = np.mgrid[:n, :n]
    u = (i + n - j) * 1.0 / n
    v, p, q = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    dx, dt = 1.0 / n, 1.0 / steps
    mul1, mul2 = 2 * dt / (dx * dx), dt / (dx * dx)
    a, b, d, e = -mul1 / 2, 1 + mul1, -mul2 / 2, 1 + mul2
    c, f = a, d
    for _ in range(steps):
        for i in range(1, n - 1):
            v[0, i], p[i, 0], q[i, 0] = 1, 0, 1
            for j in range(1, n - 1):
                by = a * p[i, j - 1] + b
                p[i, j] = -c / by
                q[i, j] = (-d * u[j, i - 1] + (1 + 2 * d) * u[j, i] - f * u[j, i + 1] - a * q[i, j - 1]) / by
            v[n - 1, i] = 1
            for j in range(n - 2, 0, -1):
                v[j, i] = p[i, j] * v[j + 1, i] + q[i, j]
        for i in range(1, n - 1):
            u[i, 0], p[i, 0], q[i, 0] = 1, 0, 1
            for j in range(1, n - 1):
                by = d * p[i, j - 1] + e
                p[i, j] = -f / by
                q[i, j] = (-a * v[i - 1, j] + (1 + 2 * a) * v[i, j] - c * v[i + 1, j] - d * q[i, j - 1]) / by
            u[i, n - 1] = 1
            for j in range(n - 2, 0, -1):
                u[i, j] = p[i, j] * u[i, j + 1] + q[i, j]
    return dict(u=u)


@kernel
def nbody():
    k = np.arange(5.0)
    mass = 20 / 5 * (1 + 0.1 * k)
    x = np.stack([np.sin(1 + k), np.cos(2 * k), 0.1 * k], axis=1)
    v = np.stack([0.1 * k, 0.2 - 0.05 * k, np.cos(k)], axis=1)

    def pull(x):
        a = np.zeros_like(x)
        for i in range(5):
            for j in range(5):
                d = x[j] - x[i]
                a[i] += d * (d @ d + 0.01) ** -1.5 * mass[j]
        return a

    a, dt = pull(x), 0.01
    for _ in range(10):
        v = v + a * dt / 2
        x = x + v * dt
        a = pull(x)
        v = v + a * dt / 2
    return dict(x=x, v=v)


@kernel
def cavity_flow():
    n, dt, rho, nu = 11, 0.001, 1.0, 0.1
    dx = dy = 2.0 / (n - 1)
    u, v, p, b = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    for _ in range(8):
        ux, uy = (u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx), (u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * dy)
        vx, vy = (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * dx), (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy)
        b[1:-1, 1:-1] = rho * (1 / dt * (ux + vy) - ux**2 - 2 * (uy * vx) - vy**2)
        for _ in range(6):
            o = p.copy()
            p[1:-1, 1:-1] = ((o[1:-1, 2:] + o[1:-1, :-2]) * dy**2 + (o[2:, 1:-1] + o[:-2, 1:-1]) * dx**2) / (
                2 * (dx**2 + dy**2)
            ) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b[1:-1, 1:-1]
            p[:, -1], p[0, :], p[:, 0], p[-1, :] = p[:, -2], p[1, :], p[:, 1], 0
        un, vn = u.copy(), v.copy()
        for w, o, slope in (
            (u, un, p[1:-1, 2:] - p[1:-1, :-2]),
            (v, vn, p[2:, 1:-1] - p[:-2, 1:-1]),
        ):
            c = o[1:-1, 1:-1]
            w[1:-1, 1:-1] = (
                c
                - un[1:-1, 1:-1] * dt / dx * (c - o[1:-1, :-2])
                - vn[1:-1, 1:-1] * dt / dy * (c - o[:-2, 1:-1])
                - dt / (2 * rho * dx) * slope
                + nu * (dt / dx**2 * (o[1:-1, 2:] - 2 * c + o[1:-1, :-2]) + dt / dy**2 * (o[2:, 1:-1] - 2 * c + o[:-2, 1:-1]))
            )
            w[0, :] = w[:, 0] = w[:, -1] = 0
            w[-1, :] = 1 if w is u else 0
    return dict(u=u, v=v, p=p)


@kernel
def trisolv():
    n = 12
    i, j = np.mgrid[:n, :n]
    l = np.where(j <= i, (i + n - j + 1) * 2.0 / n, 0)
    x = np.zeros(n)
    for k in range(n):
        x[k] = (k - l[k, :k] @ x[:k]) / l[k, k]
    return dict(x=x)


lines = []
for name, outputs in found.items():
    for output, value in outputs.items():
        value = np.asarray(value, float)
        lines.append(f"{name} {output} {','.join(map(str, value.shape))} {' '.join(map(repr, map(float, value.ravel())))}")
Path(__file__).with_suffix(".txt").write_text("\n".join(lines) + "\n")
