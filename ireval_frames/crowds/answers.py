"""Answers of raters as arrays, and the consensus that a model makes of them."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Whole = NDArray[np.int64]
Array = NDArray[np.float64]

# Probabilities are raised to this before their logarithm is taken.
SMALLEST = 1e-10
# Items per block of logarithms.
BLOCK = 1 << 13
# The largest array of raters × labels × labels.
MAX_CELLS = 1 << 27


@dataclass(frozen=True, eq=False)
class Answers:
    """Who gave which item which label.

    Attributes:
        item, rater, label: of each answer, in the order of the items.
        n_items, n_raters, n_labels: their numbers.
        gold: the known label of each item, −1 where it is unknown.
    """

    item: Whole
    rater: Whole
    label: Whole
    n_items: int
    n_raters: int
    n_labels: int
    gold: Whole | None = None

    def matrices(self, n: int = 1) -> list[tuple[slice, csr_matrix]]:
        """Items × (rater, label) as sparse matrices, 1 where the rater gave the label: n parts, each with its items."""
        from scipy.sparse import csr_matrix

        columns, starts = self.places, self.starts
        ones = np.ones(len(columns))
        edges = np.linspace(0, self.n_items, n + 1).astype(np.int64)
        out = []
        for first, last in itertools.pairwise(edges.tolist()):
            start = starts[first : last + 1]
            here, part = slice(start[0], start[-1]), csr_matrix((last - first, self.n_raters * self.n_labels))
            # Assigned they stay views; the constructor would copy them.
            part.data, part.indices, part.indptr = ones[here], columns[here], start - start[0]
            out.append((slice(first, last), part))
        return out

    @functools.cached_property
    def places(self) -> NDArray[Any]:
        """The rater and label of each answer as one number."""
        return (self.rater * self.n_labels + self.label).astype(self._index_type)

    @functools.cached_property
    def starts(self) -> NDArray[Any]:
        """Where the answers of each item begin, and where the last ones end."""
        return np.searchsorted(self.item, np.arange(self.n_items + 1)).astype(self._index_type)

    @property
    def _index_type(self) -> type[np.signedinteger[Any]]:
        """The type of all indices, which sparse products need to be one."""
        return np.int32 if len(self.rater) < 2**31 else np.int64

    @functools.cached_property
    def n_of_rater(self) -> Array:
        """The number of answers of each rater."""
        return sums(self.rater, None, self.n_raters)

    def votes(self, weight: Array | None = None) -> Array:
        """Items × labels: the number or the weight of answers.

        Args:
            weight: of each rater, or of each rater and label.
        """
        if weight is not None:
            weight = weight[self.rater] if weight.ndim == 1 else weight[self.rater, self.label]
        place = self.item * self.n_labels + self.label
        n = self.n_items * self.n_labels
        return sums(place, weight, n).reshape(self.n_items, self.n_labels)

    def right(self, posterior: Array) -> Array:
        """Raters × labels: how many of a rater's answers of a label are expected to be right."""
        place, n = self.rater * self.n_labels + self.label, self.n_raters * self.n_labels
        return sums(place, posterior[self.item, self.label], n).reshape(self.n_raters, self.n_labels)

    def counts(self) -> Array:
        """Raters × labels: the number of answers."""
        place, n = self.rater * self.n_labels + self.label, self.n_raters * self.n_labels
        return sums(place, None, n).reshape(self.n_raters, self.n_labels)

    def with_gold(self, posterior: Array) -> Array:
        """The posterior, certain for items whose label is known."""
        if self.gold is not None:
            known = self.gold >= 0
            posterior[known] = 0.0
            posterior[known, self.gold[known]] = 1.0
        return posterior

    def expected(self, logs: Array) -> tuple[Array, Array]:
        """The posterior and the log-likelihood of each item.

        The likelihood is that of the known label, or else the sum over all labels.

        Args:
            logs: log-likelihoods, items × labels; they are overwritten.
        """
        known = np.empty(0, np.int64) if self.gold is None else np.flatnonzero(self.gold >= 0)
        own = np.empty(0) if self.gold is None else logs[known, self.gold[known]]
        posterior, likelihood = softmax(logs)
        likelihood[known] = own
        return self.with_gold(posterior), likelihood


@dataclass(frozen=True, eq=False)
class Consensus:
    """What a model estimates from answers.

    Attributes:
        posterior: items × labels, the probability of each label.
        skill: of each rater, in the model's own terms.
        confusion: raters × answered labels × true labels, the probability of an answer; None where a model has none.
        prior: of each label.
        n_iter, converged: how the iteration went; None where nothing is iterated.
        log_likelihood: of the answers, where the model has one.
        difficulty: of each item, where the model has one.
    """

    posterior: Array
    skill: Array
    confusion: Array | None = None
    prior: Array | None = None
    n_iter: int = 1
    converged: bool | None = None
    log_likelihood: float = float("nan")
    difficulty: Array | None = None


def sums(at: Whole, values: Array | None, n: int) -> Array:
    """The sum of values at each of n places; their number, if values is None."""
    return np.bincount(at, weights=values, minlength=n).astype(np.float64, copy=False)


def normalised(weights: Array) -> Array:
    """Rows as shares of their sum; rows of zeros become uniform."""
    total = np.einsum("uc->u", weights)[:, None]
    out = np.full_like(weights, 1.0 / weights.shape[1])
    np.divide(weights, total, out=out, where=total > 0)
    return out


def softmax(logs: Array, added: Array | None = None) -> tuple[Array, Array]:
    """Rows of logarithms as probabilities, in place, and the logarithm of the sum of each row.

    Args:
        logs: the rows.
        added: to each row.
    """
    total = np.empty(len(logs))
    # Rows are short, so label by label, in blocks that stay in the cache.
    for at in range(0, len(logs), BLOCK):
        block, here = np.ascontiguousarray(logs[at : at + BLOCK].T), total[at : at + BLOCK]
        if added is not None:
            block += added[:, None]
        highest = block.max(axis=0)
        block -= highest
        np.exp(block, out=block)
        sum_ = block.sum(axis=0)
        block /= sum_
        logs[at : at + BLOCK] = block.T
        np.log(sum_, out=here)
        here += highest
    return logs, total


def iterated(
    posterior: Array, step: Callable[[Array], tuple[Array, Array, float]], max_iter: int, tol: float
) -> tuple[Array, int, bool, float]:
    """EM: expectation and maximisation in turn, until the mean log-likelihood per item changes by no more than `tol`.

    With a prior this is the logarithm of likelihood and prior together, which is what EM increases.

    Args:
        posterior: the first one, items × labels.
        step: returns the next posterior, the log-likelihood of each item, and the logarithm of the parameters' prior.
        max_iter: the largest number of steps.
        tol: the change at which it stops.

    Returns:
        The posterior, the number of steps, whether it converged, the log-likelihood.
    """
    before = likelihood = -np.inf
    for i in range(1, max_iter + 1):
        posterior, logs, prior = step(posterior)
        likelihood = float(logs.sum())
        if abs(likelihood + prior - before) <= tol * max(1, len(logs)):
            return posterior, i, True, likelihood
        before = likelihood + prior
    return posterior, max_iter, False, likelihood
