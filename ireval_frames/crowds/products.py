"""Products of the probabilities of each item's answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ireval_frames.crowds.answers import Answers, Array, Whole, softmax

# Products of up to 29 numbers, none below SMALLEST, and a prior do not underflow.
SHORT = 29
# Items per block: with fewer, threads wait for each other.
BLOCK_SIZE = 1 << 14


@dataclass(frozen=True, eq=False)
class _Block:
    """Items of few answers, those with the most answers first.

    Attributes:
        items: the items.
        n: their number.
        places: the rater and label of the first answer of each item, of the second one, and so on.
    """

    items: slice | Whole
    n: int
    places: list[NDArray[np.intp]]


class Products:
    """T_ic ∝ π_c·Π θ_r(l|c) over the answers l of item i, and their sums over labels.

    Up to 29 probabilities are multiplied, which cannot underflow; of more the logarithms are summed.

    Args:
        answers: the answers.
        n_parts: the number of parts that are computed in parallel.
    """

    def __init__(self, answers: Answers, n_parts: int = 1) -> None:
        self._k, self._n_parts = answers.n_labels, n_parts
        column, starts = answers.places, answers.starts
        n = np.diff(starts)
        # Bytes are sorted fast; items of equal numbers of answers keep their order.
        order = np.argsort(SHORT + 1 - np.minimum(n, SHORT + 1).astype(np.int8), kind="stable")
        n_long = int(np.count_nonzero(n > SHORT))
        self._long = order[:n_long]
        self._matrix = answers.matrices()[0][1][self._long] if n_long else None
        # Every part gets as many blocks of one size.
        n_blocks = n_parts * max(1, -(-(answers.n_items - n_long) // (BLOCK_SIZE * n_parts)))
        blocks = np.array_split(order[n_long:], n_blocks)
        self._blocks = [_block(items, n, starts, column) for items in blocks if len(items)]

    def parts(self, theta: Array, prior: Array, posterior: Array, likelihood: Array) -> Iterator[Callable[[], None]]:
        """Functions that each fill a part of the posterior and of the log-likelihoods.

        Args:
            theta: (raters × answered labels) × true labels, none below `SMALLEST`.
            prior: of each label, none below `SMALLEST`.
            posterior: items × labels, to be filled.
            likelihood: of each item, to be filled.
        """
        if self._matrix is not None:
            yield partial(self._of_long, theta, prior, posterior, likelihood)
        for i in range(self._n_parts):
            yield partial(self._of_short, self._blocks[i :: self._n_parts], theta, prior, posterior, likelihood)

    def _of_long(self, theta: Array, prior: Array, posterior: Array, likelihood: Array) -> None:
        logs = np.asarray(self._matrix @ np.log(theta))
        posterior[self._long], likelihood[self._long] = softmax(logs, np.log(prior))

    def _of_short(self, blocks: list[_Block], theta: Array, prior: Array, posterior: Array, likelihood: Array) -> None:
        product, factor = np.empty((BLOCK_SIZE, self._k)), np.empty((BLOCK_SIZE, self._k))
        for block in blocks:
            rows = product[: block.n]
            rows[:] = prior
            for places in block.places:
                factors = factor[: len(places)]
                # With mode="clip" NumPy writes into `out` without a buffer.
                np.take(theta, places, axis=0, out=factors, mode="clip")
                rows[: len(places)] *= factors
            # For short rows einsum is several times faster than `sum`.
            total: Array = np.einsum("uc->u", rows)
            rows /= total[:, None]
            posterior[block.items] = rows
            likelihood[block.items] = np.log(total, out=total)


def _block(items: Whole, n: NDArray[Any], starts: NDArray[Any], column: NDArray[Any]) -> _Block:
    descending, first = -n[items], starts[items].astype(np.intp)
    # The items that have an i-th answer come first.
    rows = (first[: int(np.searchsorted(descending, -i))] + i for i in range(int(n[items[0]])))
    places = [column[at].astype(np.intp) for at in rows]
    consecutive = np.array_equal(items, np.arange(items[0], items[0] + len(items)))
    return _Block(slice(int(items[0]), int(items[-1]) + 1) if consecutive else items, len(items), places)
