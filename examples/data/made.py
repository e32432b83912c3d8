"""Writes scores.npz, weather.npz, layer.npz and activations.npz. Needs NumPy and ml_dtypes."""

from pathlib import Path

import ml_dtypes
import numpy as np


def write(name, **arrays):
    np.savez(Path(__file__).with_name(name), **arrays)


# Two of three examples score highest at their label.
k = np.arange(120).reshape(12, 10)
examples = np.arange(12)
labels = (examples * 7 % 10).astype(np.uint8)
logits = (((k * k * 37 + k * 11) % 161 - 80) / 16).astype(np.float32)
right = examples[examples % 3 != 0]
logits[right, labels[right]] += 6
write("scores.npz", logits=logits, labels=labels)

# Two days that are warmest in the afternoon, growing colder; dry when warm.
hours = np.arange(48)
day = np.sin((hours - 9) * 2 * np.pi / 24)
tenths = (120 + 90 * day - hours).round().astype(np.int16)
humidity = np.clip(70 - 25 * day + hours % 7, 1, 100).round().astype(np.uint8)
write("weather.npz", tenths=tenths, humidity=humidity)

normal = np.random.default_rng(8).standard_normal
weights = (normal((8, 24)) / 4).astype(np.float32)
write("layer.npz", weights=weights, x=normal((6, 24)).astype(np.float32))

# Rows far from 0, where bf16 is coarse.
x = (3 * normal((6, 32)) + np.linspace(-20, 20, 6)[:, None]).astype(ml_dtypes.bfloat16)
gain, bias = (1 + normal(32) / 8).astype(ml_dtypes.bfloat16), (normal(32) / 8).astype(ml_dtypes.bfloat16)
write("activations.npz", x=x, gain=gain, bias=bias)
