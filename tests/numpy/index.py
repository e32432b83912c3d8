"""Writes index.txt: what NumPy makes of a few hundred index expressions.

    python3 tests/numpy/index.py > tests/numpy/index.txt

Each line is an expression over the arrays below, its shape and its elements in C order, or `error` where NumPy
raises an IndexError.
"""

import random
import sys

import numpy as np

ARRAYS = {
    "a": np.arange(24).reshape(2, 3, 4),
    "m": np.arange(12).reshape(3, 4),
    "v": np.arange(5),
    "o": np.arange(1),
    "e": np.zeros((0, 3), int),
}
random.seed(5)


def bound(length):
    return random.choice(["", "", *map(str, range(-length - 2, length + 3))])


def one(length):
    kind = random.random()
    if kind < 0.3:
        return str(random.randint(-length - (random.random() < 0.1), max(length - 1, 0) + (random.random() < 0.1)))
    if kind < 0.5:
        return f"{bound(length)}:{bound(length)}"
    step = random.choice(["", "1", "2", "3", "-1", "-2", "-3", "9", "-9"])
    return f"{bound(length)}:{bound(length)}:{step}"


def expression():
    name = random.choice(["a", "a", "a", "m", "m", "v", "v", "o", "e"])
    shape = ARRAYS[name].shape
    count = random.randint(0, len(shape) + (random.random() < 0.03))
    items = [one(shape[min(axis, len(shape) - 1)]) for axis in range(count)]
    if random.random() < 0.3:
        # The axes after the dots count from the end.
        place = random.randint(0, len(items))
        items[place:] = [one(shape[len(shape) - len(items[place:]) + axis]) for axis in range(len(items) - place)] \
            if count <= len(shape) else items[place:]
        items.insert(place, "...")
    for _ in range(random.choice([0, 0, 0, 1, 2])):
        items.insert(random.randint(0, len(items)), "None")
    return f"{name}[{', '.join(items)}]" if items else f"{name}[:]"


seen = set()
while len(seen) < 600:
    text = expression()
    if text in seen:
        continue
    seen.add(text)
    try:
        value = eval(text, dict(ARRAYS))
    except IndexError:
        print(text, "error", sep="\t")
        continue
    shape, values = np.shape(value), np.ravel(value)
    print(text, " ".join(map(str, shape)), " ".join(map(str, values)), sep="\t")
sys.stdout.flush()
