"""Several results of a kernel: a tuple with names."""

from __future__ import annotations

import collections

_CLASSES: dict[tuple[str, ...], type] = {}


def named(*names: str) -> type:
    """The class of results with these names; one that is no name of a field is ``_0``, ``_1``, by its place."""
    made = _CLASSES.get(names)
    if made is None:
        made = collections.namedtuple("Results", names, rename=True, module="arrlang")
        # No module has the class, so what pickles is its names.
        made.__reduce__ = lambda self: (_restored, (self._fields, tuple(self)))
        while len(_CLASSES) >= 256:
            _CLASSES.pop(next(iter(_CLASSES)), None)
        made = _CLASSES.setdefault(made._fields, made)
    return made


def _restored(names: tuple[str, ...], values: tuple):
    return named(*names)(*values)
