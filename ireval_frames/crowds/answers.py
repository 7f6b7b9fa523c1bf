"""Answers as arrays, and what a model makes of them."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]
Array = NDArray[np.float64]

# Probabilities below this are this: a logarithm is taken of each.
SMALLEST = 1e-10
# Items whose logarithms are looked at together.
BLOCK = 1 << 13
# Raters × labels × labels that are held at once.
MOST_CELLS = 1 << 27


@dataclass(frozen=True, eq=False)
class Answers:
    """Who gave which item which label.

    Attributes:
        item, rater, label: of each answer, in the order of the items.
        n_items, n_raters, n_labels: how many there are.
        gold: of each item the label that is known, −1 where none is.
    """

    item: Whole
    rater: Whole
    label: Whole
    n_items: int
    n_raters: int
    n_labels: int
    gold: Whole | None = None

    def given(self, n: int = 1) -> list[tuple[slice, Any]]:
        """Items × (rater, label), sparse, 1 where the rater gave it: in n parts, each with its items."""
        from scipy.sparse import csr_matrix

        column, starts = self.places, self.starts
        ones = np.ones(len(column))
        edges = np.linspace(0, self.n_items, n + 1).astype(np.int64)
        out = []
        for first, last in itertools.pairwise(edges.tolist()):
            start = starts[first : last + 1]
            here, part = slice(start[0], start[-1]), csr_matrix((last - first, self.n_raters * self.n_labels))
            # Set, they stay views of the whole; a constructor would copy them.
            part.data, part.indices, part.indptr = ones[here], column[here], start - start[0]
            out.append((slice(first, last), part))
        return out

    @functools.cached_property
    def places(self) -> NDArray[Any]:
        """Of each answer its rater and label as one number."""
        return (self.rater * self.n_labels + self.label).astype(self._kind)

    @functools.cached_property
    def starts(self) -> NDArray[Any]:
        """Where the answers of each item begin, and where they end."""
        return np.searchsorted(self.item, np.arange(self.n_items + 1)).astype(self._kind)

    @property
    def _kind(self) -> type[np.signedinteger[Any]]:
        """Both kinds of places are of one type, as sparse products want them."""
        return np.int32 if len(self.rater) < 2**31 else np.int64

    @functools.cached_property
    def n_of_rater(self) -> Array:
        """The number of answers of each rater."""
        return sums(self.rater, None, self.n_raters)

    def votes(self, weight: Array | None = None) -> Array:
        """Items × labels: how many answers, or what weight.

        Args:
            weight: of each rater, or of each rater and label.
        """
        if weight is not None:
            weight = weight[self.rater] if weight.ndim == 1 else weight[self.rater, self.label]
        place = self.item * self.n_labels + self.label
        n = self.n_items * self.n_labels
        return sums(place, weight, n).reshape(self.n_items, self.n_labels)

    def right(self, posterior: Array) -> Array:
        """Raters × labels: of the answers of a rater that are a label, how many are expected to be right."""
        place, n = self.rater * self.n_labels + self.label, self.n_raters * self.n_labels
        return sums(place, posterior[self.item, self.label], n).reshape(self.n_raters, self.n_labels)

    def all_of(self) -> Array:
        """Raters × labels: how many answers."""
        place, n = self.rater * self.n_labels + self.label, self.n_raters * self.n_labels
        return sums(place, None, n).reshape(self.n_raters, self.n_labels)

    def known(self, posterior: Array) -> Array:
        """The posterior, certain where the label of an item is known."""
        if self.gold is not None:
            there = self.gold >= 0
            posterior[there] = 0.0
            posterior[there, self.gold[there]] = 1.0
        return posterior

    def expected(self, logs: Array) -> tuple[Array, Array]:
        """The posterior of rows of log-likelihoods, certain where the label is known, and the log-likelihood of each.

        Where the label is known the likelihood is that of this label, of others it is the sum over all of them.

        Args:
            logs: items × labels; they are changed.
        """
        there = np.empty(0, np.int64) if self.gold is None else np.flatnonzero(self.gold >= 0)
        own = np.empty(0) if self.gold is None else logs[there, self.gold[there]]
        posterior, likelihood = softmax(logs)
        likelihood[there] = own
        return self.known(posterior), likelihood


@dataclass(frozen=True, eq=False)
class Consensus:
    """What a model says.

    Attributes:
        posterior: items × labels, the probability of each label.
        skill: of each rater, in the model's own terms.
        confusion: raters × labels given × labels there are, the probability of an answer; None where a model has none.
        prior: of each label.
        n_iter, converged: how the iteration went; None where nothing had to be iterated.
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


def sums(at: Whole, of: Array | None, n: int) -> Array:
    """The sum of a term at each of n places; how many there are, where there is no term."""
    return np.bincount(at, weights=of, minlength=n).astype(np.float64, copy=False)


def normalised(weights: Array) -> Array:
    """Rows as shares of their sum; rows of zeros are even."""
    total = np.einsum("uc->u", weights)[:, None]
    out = np.full_like(weights, 1.0 / weights.shape[1])
    np.divide(weights, total, out=out, where=total > 0)
    return out


def softmax(logs: Array, added: Array | None = None) -> tuple[Array, Array]:
    """Rows of logarithms become probabilities, in their place; and the logarithm of what each row added up to.

    Args:
        logs: the rows.
        added: to each of them.
    """
    total = np.empty(len(logs))
    # Rows are short, so a label at a time, in blocks that stay near the processor.
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
    """Expectation and maximisation in turn, until an item's mean log-likelihood changes by no more than `tol`.

    With a prior it is that of likelihood and prior together, which is what grows.

    Args:
        posterior: items × labels to begin with.
        step: from a posterior to the next, the log-likelihood of each item, and the log of the parameters' prior.
        max_iter: the most steps.
        tol: when to stop.

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
