"""Newton's method on a concave likelihood, and whether it converged."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.linalg import LinAlgError
from numpy.typing import NDArray

from ireval_frames.crowds.answers import Array

# The longest step, the change of parameters at which it stops, and the largest number of steps.
MAX_STEP, TOLERANCE, MAX_ITER = 2.0, 1e-10, 1000
# Matrices with larger elements in their scaled inverse count as singular.
MAX_INVERSE = 1e13

__all__ = ["LinAlgError", "inverse", "maximize"]


def maximize(
    likelihood: Callable[[Array], tuple[float, Array, Array]],
    start: Array,
    free: NDArray[np.bool_],
    project: Callable[[Array], Array],
) -> tuple[Array, str]:
    """The parameters of the largest likelihood, and "converged", "singular" or "not_converged".

    Steps that would lower the likelihood are halved.

    Args:
        likelihood: the log-likelihood of parameters, its gradient, and minus its Hessian.
        start: the first parameters.
        free: which parameters may change.
        project: applied to the parameters after each step, such as centring them.
    """
    theta, (value, gradient, information) = start, likelihood(start)
    for _ in range(MAX_ITER):
        try:
            step = inverse(information[np.ix_(free, free)]) @ gradient[free]
        except LinAlgError:
            return theta, "singular"
        largest = float(np.abs(step).max(initial=0.0))
        step *= min(1.0, MAX_STEP / max(MAX_STEP, largest))
        while True:
            new = theta.copy()
            new[free] += step
            new = project(new)
            result = likelihood(new)
            if result[0] >= value - 1e-12 * abs(value) or np.abs(step).max(initial=0.0) < TOLERANCE:
                break
            step /= 2
        theta, (value, gradient, information) = new, result
        if largest < TOLERANCE:
            return theta, "converged"
    return theta, "not_converged"


def inverse(matrix: Array) -> Array:
    """The inverse of a positive definite matrix, which is scaled first.

    Raises:
        LinAlgError: it is singular.
    """
    diagonal = np.diagonal(matrix)
    if not (np.isfinite(matrix).all() and (diagonal > 0).all()):
        raise LinAlgError("Singular matrix")
    scale = 1 / np.sqrt(diagonal)
    scaled = np.linalg.inv(matrix * scale[:, None] * scale)
    if np.abs(scaled).max(initial=0.0) > MAX_INVERSE:
        raise LinAlgError("Singular matrix")
    result: Array = scaled * scale[:, None] * scale
    return result
