"""The table that is read: mixed columns, of so many bytes, the same each time."""

import os

import numpy as np

#: What a row is: a whole number, a date, one of 500 words, two prices of two decimals, a count of up to 8 digits, a
#: float of all its digits, a truth value.
HEADER = "id,day,symbol,open,close,volume,ratio,flag"
#: Rows that are made at once.
BLOCK = 200_000


def rows(first, count):
    """Some rows as text, by polars, which writes the shortest digits that give a float back."""
    import polars

    random = np.random.default_rng(first)
    words = np.array([f"{a}{b}{c}" for a in "ABCDEFGH" for b in "KLMNOPQR" for c in "STUVWXYZ"][:500])
    price = np.round(np.exp(random.normal(4.5, 0.6, count)), 2)
    frame = polars.DataFrame({
        "id": np.arange(first, first + count),
        "day": np.datetime64("2000-01-03") + np.sort(random.integers(0, 9000, count)),
        "symbol": words[random.integers(0, len(words), count)],
        "open": price,
        "close": np.round(price * (1 + random.normal(0, 0.02, count)), 2),
        "volume": random.integers(100, 90_000_000, count),
        "ratio": random.random(count),
        "flag": random.random(count) < 0.5,
    })
    return frame.write_csv(include_header=False)


def make(path, size):
    """Writes the table, unless there is one of this size."""
    if path.exists() and abs(path.stat().st_size - size) < 20_000_000:
        return
    written, first = 0, 0
    part = path.with_suffix(".part")
    with open(part, "w") as file:
        written += file.write(HEADER + "\n")
        while written < size:
            written += file.write(rows(first, BLOCK))
            first += BLOCK
    os.replace(part, path)
