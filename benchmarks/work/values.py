"""Values per unit as measures give them: hard and easy units, systems apart, most values small."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def values(systems: int, units: int, measures: int) -> Array:
    """Measures × units × systems."""
    rng = np.random.default_rng(systems)
    hard = rng.beta(0.5, 2.0, size=(measures, units, 1))
    level = np.linspace(-0.05, 0.05, systems)
    return np.clip(hard + level + rng.normal(size=(measures, units, systems)) * 0.1, 0.0, 1.0)
