"""Writes advanced.txt: what NumPy makes of a few hundred indices with masks and arrays of positions.

    python3 tests/numpy/advanced.py > tests/numpy/advanced.txt

Each line is an expression over the arrays below, or an assignment to a place of one, then the shape and the elements in C
order of the value, or of the whole array after the assignment, or `error` where NumPy raises an error.

How many elements a mask keeps is known when it runs. NumPy broadcasts it where this number is 1 by chance; such cases are
left out.
"""

import random

import numpy as np

ARRAYS = {
    "a": np.arange(24).reshape(2, 3, 4),
    "b": np.arange(36).reshape(3, 2, 3, 2),
    "m": np.arange(12).reshape(3, 4),
    "v": np.arange(5),
}
random.seed(20)


def add_at(x, indices, values):
    x = x.copy()
    np.add.at(x, indices, values)
    return x


NAMES = {**ARRAYS, "arange": np.arange, "add_at": add_at}


def position(length):
    out = random.random() < 0.004
    return random.randint(-length - out, length - 1 + out)


def positions(length):
    kind = random.random()
    if kind < 0.15:
        return f"arange({random.randint(1, length)})"
    if kind < 0.25:
        return f"arange({random.randint(1, length)})[:, None]"
    if kind < 0.35:
        return str([[position(length)] for _ in range(random.choice([1, 2]))])
    if kind < 0.45:
        return str([[position(length) for _ in range(2)] for _ in range(random.choice([1, 2]))])
    return str([position(length) for _ in range(random.choice([1, 2, 2, 2, 3]))])


def mask(shape):
    size = int(np.prod(shape))
    if random.random() < 0.5:
        lens = ", ".join(map(str, shape))
        if len(shape) == 1:
            return f"(arange({size}) % 3 {random.choice(['<', '>', '==', '!='])} {random.randint(0, 2)})"
        return f"(arange({size}).reshape({lens}) % 3 {random.choice(['<', '>', '==', '!='])} {random.randint(0, 2)})"
    return str(np.random.default_rng(random.randint(0, 999)).integers(0, 2, shape).astype(bool).tolist())


def bound(length):
    return random.choice(["", "", *map(str, range(-length, length + 1))])


def other(length):
    kind = random.random()
    if kind < 0.35:
        return ":"
    if kind < 0.6:
        return f"{bound(length)}:{bound(length)}{random.choice(['', ':2', ':-1'])}"
    return str(position(length))


def index(shape):
    items, axis = [], 0
    while axis < len(shape):
        kind = random.random()
        if kind < 0.4:
            items.append(positions(shape[axis]))
        elif kind < 0.6:
            axes = min(random.choice([1, 1, 1, 2, 2, 3]), len(shape) - axis)
            items.append(mask(shape[axis : axis + axes]))
            axis += axes - 1
        elif kind < 0.95:
            items.append(other(shape[axis]))
        else:
            items.append("...")
            axis = max(axis, len(shape) - random.randint(1, 2)) if random.random() < 0.7 else len(shape)
            while axis < len(shape):
                items.append(random.choice([positions, other])(shape[axis]))
                axis += 1
            break
        axis += 1
        if random.random() < 0.1:
            break
    if random.random() < 0.2:
        items.insert(random.randint(0, len(items)), "None")
    return items


def broadcasts_by_chance(items, name):
    """Whether a mask keeps one element beside arrays of others."""
    arrays = [item for item in items if "[" in item or "arange" in item]
    if len(arrays) < 2:
        return False
    for item in arrays:
        value = eval(item, dict(NAMES))
        if np.asarray(value).dtype == bool and np.count_nonzero(value) == 1:
            return True
    return False


def target(name, items):
    """The values to assign: as many as there are, one, or none too many."""
    part = np.shape(eval(f"{name}[{', '.join(items)}]", dict(NAMES)))
    kind = random.random()
    if kind < 0.3 or not part:
        return str(random.randint(50, 99))
    if kind < 0.4:
        part = part[-1:]
    if kind > 0.95:
        part = (*part[:-1], part[-1] + 1)
    size = int(np.prod(part))
    if size == 0 or size > 24:
        return str(random.randint(50, 99))
    return str((np.arange(size) + 100).reshape(part).tolist())


def line():
    name = random.choice("aaabbmmv")
    items = index(ARRAYS[name].shape)
    if not any("[" in item or "arange" in item for item in items) or broadcasts_by_chance(items, name):
        return None
    text = f"{name}[{', '.join(items)}]"
    kind = random.random()
    try:
        if kind < 0.3:
            text = f"{text} = {target(name, items)}"
        elif kind < 0.4 and all("[" in item or "arange" in item or item.lstrip("-").isdigit() for item in items):
            at = items[0] if len(items) == 1 else f"({', '.join(items)})"
            text = f"add_at({name}, {at}, {target(name, items)})"
    except (IndexError, ValueError):
        pass
    return text


def value(text):
    if " = " not in text:
        return eval(text, dict(NAMES))
    names = {key: item.copy() if key in ARRAYS else item for key, item in NAMES.items()}
    exec(text, names)
    return names[text[0]]


seen = set()
while len(seen) < 800:
    text = line()
    if text is None or text in seen:
        continue
    seen.add(text)
    try:
        found = value(text)
    except (IndexError, ValueError):
        print(text, "error", sep="\t")
        continue
    shape, values = np.shape(found), np.ravel(found)
    print(text, " ".join(map(str, shape)), " ".join(map(str, values)), sep="\t")
