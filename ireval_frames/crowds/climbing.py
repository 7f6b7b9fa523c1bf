"""Newton's method on a concave likelihood: it says whether it arrived."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.linalg import LinAlgError
from numpy.typing import NDArray

from ireval_frames.crowds.answers import Array

# Steps are no longer than LONGEST, and stop when no parameter moves by more than TOLERANCE.
LONGEST, TOLERANCE, STEPS = 2.0, 1e-10, 1000
# A matrix whose condition is worse than this has no inverse that means anything.
WORST = 1e13

__all__ = ["LinAlgError", "climbed", "inverse"]


def climbed(
    slope: Callable[[Array], tuple[float, Array, Array]],
    start: Array,
    free: NDArray[np.bool_],
    moved: Callable[[Array], Array],
) -> tuple[Array, str]:
    """The parameters at which a likelihood is largest, and "converged", "singular" or "not_converged".

    A step that would lower the likelihood is halved until it does not.

    Args:
        slope: of parameters the log-likelihood, its gradient, and minus its curvature.
        start: the parameters to begin with.
        free: which of them move.
        moved: what is made of parameters after a step, such as that they add to 0.
    """
    theta, (value, gradient, information) = start, slope(start)
    for _ in range(STEPS):
        try:
            step = inverse(information[np.ix_(free, free)]) @ gradient[free]
        except LinAlgError:
            return theta, "singular"
        largest = float(np.abs(step).max(initial=0.0))
        step *= min(1.0, LONGEST / max(LONGEST, largest))
        while True:
            new = theta.copy()
            new[free] += step
            new = moved(new)
            found = slope(new)
            if found[0] >= value - 1e-12 * abs(value) or np.abs(step).max(initial=0.0) < TOLERANCE:
                break
            step /= 2
        theta, (value, gradient, information) = new, found
        if largest < TOLERANCE:
            return theta, "converged"
    return theta, "not_converged"


def inverse(matrix: Array) -> Array:
    """The inverse of a symmetric matrix above 0, whose rows are first brought to one scale.

    Raises:
        LinAlgError: it has none.
    """
    diagonal = np.diagonal(matrix)
    if not (np.isfinite(matrix).all() and (diagonal > 0).all()):
        raise LinAlgError("Singular matrix")
    scale = 1 / np.sqrt(diagonal)
    found = np.linalg.inv(matrix * scale[:, None] * scale)
    if np.abs(found).max(initial=0.0) > WORST:
        raise LinAlgError("Singular matrix")
    made: Array = found * scale[:, None] * scale
    return made
