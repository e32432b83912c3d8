"""Writes layout.txt: what NumPy makes of reshaping, shifting, joining, repeating and windows, in the format of index.txt.

    python3 tests/numpy/layout.py > tests/numpy/layout.txt
"""

import itertools

import numpy as np

ARRAYS = {
    "a": np.arange(24).reshape(2, 3, 4),
    "m": np.arange(12).reshape(3, 4),
    "v": np.arange(5),
    "o": np.arange(1),
    "e": np.zeros((0, 3), int),
}
NAMES = {
    **ARRAYS,
    **{name: getattr(np, name) for name in "reshape transpose flip roll diff take stack ravel swapaxes".split()},
    "concat": np.concatenate,
    "repeat": np.repeat,
    "arange": np.arange,
    "sliding_window_view": np.lib.stride_tricks.sliding_window_view,
    "expand_dims": np.expand_dims,
    "squeeze": np.squeeze,
    "broadcast_to": np.broadcast_to,
    "pad": lambda x, width, value=0: np.pad(x, width, constant_values=value),
}


def calls():
    for name, array in ARRAYS.items():
        rank = array.ndim
        axes = range(-rank, rank)
        yield f"ravel({name})"
        yield f"transpose({name})"
        yield f"{name}.T"
        yield f"{name}.reshape(-1)"
        yield f"{name}.reshape(-1, 1)"
        yield f"flip({name})"
        for order in itertools.permutations(range(rank)):
            yield f"transpose({name}, {tuple(order)})"
        for axis in axes:
            yield f"flip({name}, axis={axis})"
            for n in (0, 1, 2, 7):
                yield f"diff({name}, n={n}, axis={axis})"
            for shift in (-7, -1, 0, 2, 5):
                yield f"roll({name}, {shift}, axis={axis})"
            yield f"stack(({name}, {name} + 1), axis={axis})"
            yield f"concat(({name}, {name} + 1, {name}[:]), axis={axis})"
            yield f"expand_dims({name}, {axis})"
            for other in axes:
                yield f"swapaxes({name}, {axis}, {other})"
            length = array.shape[axis]
            yield f"repeat({name}, 2, axis={axis})"
            yield f"repeat({name}, arange({length}) * 2 % 3, axis={axis})"
            yield f"repeat({name}, {[(place * 5 + 1) % 4 for place in range(length)]}, axis={axis})" if length else f"{name}.T"
            yield f"repeat({name}, {[1] * (length + 2)}, axis={axis})"
            for size in (1, 2, 3, length + 1):
                yield f"sliding_window_view({name}, {size}, axis={axis})"
            if length:
                yield f"take({name}, [0, -1, {length - 1}], axis={axis})"
                yield f"take({name}, [[0, -{length}], [0, 0]], axis={axis})"
                yield f"take({name}, {length - 1}, axis={axis})"
            # NumPy does not look at positions when there are no elements.
            if array.size:
                yield f"take({name}, {length}, axis={axis})"
        for shift in (-7, -1, 0, 2, 50):
            yield f"roll({name}, {shift})"
        for pair in itertools.combinations(range(rank), 2):
            yield f"flip({name}, axis={pair})"
            yield f"roll({name}, (1, -2), axis={pair})"
            yield f"roll({name}, 1, axis={pair})"
        yield f"pad({name}, 1)"
        yield f"pad({name}, (0, 2), value=7)"
        yield f"pad({name}, {tuple((axis, 2 - axis) for axis in range(rank))})" if rank > 1 else f"pad({name}, (2, 0))"
        yield f"repeat({name}, arange({array.size}) % 4)"
        yield f"repeat({name}, [3])"
        yield f"sliding_window_view({name}, {array.shape})" if array.size else f"flip({name})"
        yield f"sliding_window_view({name}, {(1,) * rank})" if rank > 1 else f"sliding_window_view({name}, 1)"
        yield f"squeeze({name}[None])"
        yield f"squeeze({name}[:, None], axis=1)"
        yield f"broadcast_to({name}, {(2, *array.shape)})"
        yield f"broadcast_to({name}[:, None], {(array.shape[0], 3, *array.shape[1:])})"
    yield "sliding_window_view(a, (2, 2), axis=(2, 0))"
    yield "sliding_window_view(m, (2, 3))"
    yield "sliding_window_view(m[::-1, ::2], (2, 1))"
    yield "repeat(a[::-1, 1:], [2, 0], axis=0)"
    yield "reshape(a, (4, 6))"
    yield "a.reshape(4, -1, 3)"
    yield "a.reshape(2, 12)[:, ::5]"
    yield "a.reshape(5, 5)"
    yield "a[::-1].reshape(-1)[::7]"
    yield "a.T.reshape(6, 4)"
    yield "concat((a, m))"
    yield "stack((v, o))"
    yield "take(a, [3, -1, 23])"
    yield "take(m[::-1, 1:], [[2], [0]], axis=0)"


for text in calls():
    try:
        value = eval(text, dict(NAMES))
    except (IndexError, ValueError):
        print(text, "error", sep="\t")
        continue
    print(text, " ".join(map(str, np.shape(value))), " ".join(map(str, np.ravel(value))), sep="\t")
