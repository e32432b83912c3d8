import numpy as np
from files import save

c = np.linspace(-2.2, 0.8, 48) + np.linspace(-1.2, 1.2, 24)[:, None] * 1j
z, n = 0 * c, np.zeros(c.shape, np.int32)
for _ in range(60):
    on = abs(z) < 2
    z[on] = z[on] * z[on] + c[on]
    n[on] += 1

save(__file__, steps=n, picture=(n * 4).astype(np.uint8), share_inside=np.mean(n == 60))
