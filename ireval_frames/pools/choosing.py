"""Which document of a query comes next, by the judgments so far."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ireval_frames.pools.lists import Floats, Integers, QueryLists
from ireval_frames.pools.options import PoolOptions

# A document and the list that it is taken from, or −1; None where nothing is left.
Choice = tuple[int, int] | None
# Numbers from 0 to 1 of the lists of a query, at a place in its order.
Draw = Callable[[int], Floats]


def move_to_front(lists: QueryLists, options: PoolOptions, draw: Draw) -> Choice:
    """The list of the last document, unless it was not relevant; else one with the fewest that were not."""
    del draw
    left = lists.first_left()
    last = int(lists.order.argmax())
    of = int(lists.chosen[last])
    if of >= 0 and left[of] >= 0 and not lists.grade[last] < options.rel:
        return int(left[of]), of
    failures = _count(lists.chosen[(lists.grade < options.rel) & (lists.chosen >= 0)], lists)
    return _best(-failures, left, lists)


def thompson(lists: QueryLists, options: PoolOptions, draw: Draw) -> Choice:
    """The list with the largest number drawn from its Beta(1 + relevant, 1 + others)."""
    from scipy.special import betaincinv

    relevant, others = _learned(lists, options)
    drawn = betaincinv(1.0 + relevant, 1.0 + others, draw(lists.handed_out + 1))
    return _best(drawn, lists.first_left(), lists)


def max_mean(lists: QueryLists, options: PoolOptions, draw: Draw) -> Choice:
    """The list with the largest mean of Beta(1 + relevant, 1 + others)."""
    del draw
    relevant, others = _learned(lists, options)
    return _best((1.0 + relevant) / (2.0 + relevant + others), lists.first_left(), lists)


def hedge(lists: QueryLists, options: PoolOptions, draw: Draw) -> Choice:
    """The document with the largest sum over the lists of weight times value of its rank, ½ ln(Z / rank).

    A judged document costs a list this value if it is not relevant, and is worth as much if it is; the weight of a list
    is β to the power of its loss.
    """
    del draw
    taken = lists.taken
    if taken.all():
        return None
    # One rank deeper than the lists, where a document without a rank is taken to be: there the value is 0.
    value = 0.5 * np.log((options.depth + 1.0) / lists.rank)
    grade = lists.grade[lists.document]
    loss = np.where(np.isnan(grade), 0.0, np.where(grade < options.rel, value, -value))
    losses = np.bincount(lists.list_of, loss, len(lists.priority))
    weight = options.beta ** (losses - losses.min())
    score = np.bincount(lists.document, weight[lists.list_of] * value, len(lists.grade))
    return int(np.where(taken, -1.0, score).argmax()), -1


def _learned(lists: QueryLists, options: PoolOptions) -> tuple[Floats, Floats]:
    """The numbers of relevant and of other judged documents that count for each list."""
    if options.credit == "chosen":
        of, grade = lists.chosen[lists.chosen >= 0], lists.grade[lists.chosen >= 0]
    else:
        of, grade = lists.list_of, lists.grade[lists.document]
    return _count(of[grade >= options.rel], lists), _count(of[grade < options.rel], lists)


def _count(of: Integers, lists: QueryLists) -> Floats:
    return np.bincount(of, minlength=len(lists.priority)).astype(np.float64)


def _best(value: Floats, left: Integers, lists: QueryLists) -> Choice:
    """The first document that is left of the list of the largest value; of equal ones by their priority."""
    order = np.lexsort((lists.priority, -value))
    order = order[left[order] >= 0]
    return (int(left[order[0]]), int(order[0])) if len(order) else None


CHOICES: dict[str, Callable[[QueryLists, PoolOptions, Draw], Choice]] = {
    "mtf": move_to_front,
    "hedge": hedge,
    "bandit": thompson,
    "max-mean": max_mean,
}
