"""Work on long arrays in blocks that stay in the cache of a core, and whose temporary arrays cost no fresh memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ireval_frames.clicks.models.declared import Array

Part = TypeVar("Part")
Result = TypeVar("Result")

# Temporary arrays of more than 128 KB are fresh memory every time, which costs more than what is computed in them.
BLOCK_SIZE = 1 << 13
THREADS = 2
# The number of parts in one task of a thread.
PARTS_PER_TASK = 64


def each(do: Callable[[Part], Result], parts: list[Part]) -> list[Result]:
    """The result of each part, in order; computed by several threads."""
    if len(parts) <= PARTS_PER_TASK:
        return [do(part) for part in parts]
    tasks = [parts[i : i + PARTS_PER_TASK] for i in range(0, len(parts), PARTS_PER_TASK)]
    with ThreadPoolExecutor(THREADS) as threads:
        return [result for task in threads.map(lambda task: [do(part) for part in task], tasks) for result in task]


def together(do: Callable[[Part], Result], parts: Iterable[Part]) -> list[Result]:
    """The result of each of a few long parts, in order; computed by several threads."""
    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(do, parts))


def summed(place: NDArray[np.integer[Any]], of: Array, size: int) -> Array:
    """The sums of numbers by place."""
    return np.bincount(place, of, size).astype(np.float64, copy=False)


def total(of: Callable[..., float], *arrays: Array) -> float:
    """The sum of a function of blocks of arrays of one length."""
    flat = [a.ravel() for a in arrays]
    return sum(of(*(a[i : i + BLOCK_SIZE] for a in flat)) for i in range(0, len(flat[0]), BLOCK_SIZE))


def sum_of_logs(times: Array, of: Array) -> float:
    """Σ times · log(of), where times is not 0."""

    def block(n: Array, p: Array) -> float:
        positive = n > 0
        with np.errstate(divide="ignore"):
            return float(np.dot(n[positive], np.log(p[positive])))

    return total(block, times, of)
