"""What all tests share."""

import numpy as np
import pytest


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def pytest_collection_modifyitems(items):
    """JAX starts threads that a child of `fork` has not: its tests come last."""
    items.sort(key=lambda item: item.path.name == "test_dlpack.py")
