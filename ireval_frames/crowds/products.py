"""Of each item the product of what a table says of its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ireval_frames.crowds.answers import Answers, Array, Whole, softmax

# Products of so many numbers, none below SMALLEST, and of a prior are normal floats.
SHORT = 29
# Items that are looked at together: fewer keep threads waiting for each other.
BLOCK_SIZE = 1 << 14


@dataclass(frozen=True, eq=False)
class _Block:
    """Items of few answers, those of most answers first.

    Attributes:
        items: which.
        n: how many.
        places: the first answers of the items, then the second ones, and so on: of each its rater and label.
    """

    items: slice | Whole
    n: int
    places: list[NDArray[np.intp]]


class Products:
    """T_uc ∝ π_c·Π θ_r(l|c) over the answers l of u, and what they add up to.

    Of up to 29 answers the numbers themselves are multiplied, which none of them can make vanish; of more, their
    logarithms are summed.

    Args:
        answers: the answers.
        n_parts: how many parts can be computed beside each other.
    """

    def __init__(self, answers: Answers, n_parts: int = 1) -> None:
        self._k, self._n_parts = answers.n_labels, n_parts
        column, starts = answers.places, answers.starts
        n = np.diff(starts)
        # Small numbers are sorted in no time.  Where all items have as many answers, they keep their order.
        order = np.argsort(SHORT + 1 - np.minimum(n, SHORT + 1).astype(np.int8), kind="stable")
        n_long = int(np.count_nonzero(n > SHORT))
        self._long = order[:n_long]
        self._given = answers.given()[0][1][self._long] if n_long else None
        # As many of one size for each part.
        n_blocks = n_parts * max(1, -(-(answers.n_items - n_long) // (BLOCK_SIZE * n_parts)))
        parted = np.array_split(order[n_long:], n_blocks)
        self._blocks = [_block(items, n, starts, column) for items in parted if len(items)]

    def parts(self, theta: Array, prior: Array, posterior: Array, likelihood: Array) -> Iterator[Callable[[], None]]:
        """What fills the posterior and the logarithms of the likelihood, in parts.

        Args:
            theta: (raters × labels given) × labels there are; none is below `SMALLEST`.
            prior: of each label; the same holds.
            posterior: items × labels, to be filled.
            likelihood: of each item, to be filled.
        """
        if self._given is not None:
            yield partial(self._of_long, theta, prior, posterior, likelihood)
        for i in range(self._n_parts):
            yield partial(self._of_short, self._blocks[i :: self._n_parts], theta, prior, posterior, likelihood)

    def _of_long(self, theta: Array, prior: Array, posterior: Array, likelihood: Array) -> None:
        logs = np.asarray(self._given @ np.log(theta))
        posterior[self._long], likelihood[self._long] = softmax(logs, np.log(prior))

    def _of_short(self, blocks: list[_Block], theta: Array, prior: Array, posterior: Array, likelihood: Array) -> None:
        product, factor = np.empty((BLOCK_SIZE, self._k)), np.empty((BLOCK_SIZE, self._k))
        for block in blocks:
            made = product[: block.n]
            made[:] = prior
            for places in block.places:
                those = factor[: len(places)]
                # Told to clip, NumPy writes where it is asked to, at once.
                np.take(theta, places, axis=0, out=those, mode="clip")
                made[: len(places)] *= those
            # Along short rows einsum is several times faster than `sum`.
            total: Any = np.einsum("uc->u", made)
            made /= total[:, None]
            posterior[block.items] = made
            likelihood[block.items] = np.log(total, out=total)


def _block(items: Whole, n: NDArray[Any], starts: NDArray[Any], column: NDArray[Any]) -> _Block:
    fewer, first = -n[items], starts[items].astype(np.intp)
    # So many of the items have one more answer; they stand first.
    those = (first[: int(np.searchsorted(fewer, -i))] + i for i in range(int(n[items[0]])))
    places = [column[at].astype(np.intp) for at in those]
    alike = np.array_equal(items, np.arange(items[0], items[0] + len(items)))
    return _Block(slice(int(items[0]), int(items[-1]) + 1) if alike else items, len(items), places)
