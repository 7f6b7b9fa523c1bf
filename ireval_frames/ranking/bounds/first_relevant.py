"""Bounds of measures of the first relevant document: of one list, or of two lists' difference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ireval_frames.ranking.bounds.arrays import Array, Ends, Lists


@dataclass(frozen=True)
class FirstRelevant:
    """The weight of the rank of the first relevant document, which is the largest weight of all of them.

    A difference is largest with at most one more relevant document: any further one can only raise the other list.

    Attributes:
        weight: the weight of a rank, at least 0 and falling with it; 0 at infinity.
        relevant: whether a grade is relevant.
    """

    weight: Callable[[Array], Array]
    relevant: Callable[[Array], Array]

    def bounds(self, lists: Lists, empty: float | None) -> Ends:
        """The least and the largest value; NaN where there is none."""
        levels = self.relevant(lists.levels)
        judged = lists.count(self.relevant(lists.grades))
        known = self.relevant(lists.grade) & ~lists.to_grade
        if levels.all():
            known |= lists.to_grade
        may = lists.to_grade & (levels.any() and not levels.all())
        weights = [self.weight(rank) for rank in lists.ranks]
        fixed = [np.where(known, weight, 0.0).max(axis=1, initial=0.0) for weight in weights]
        now = fixed[-1] - (fixed[0] if len(fixed) == 2 else 0.0)
        # With one more relevant document: each in turn.
        raised = [np.maximum(value[:, None], weight) for value, weight in zip(fixed, weights, strict=True)]
        each = raised[-1] - (raised[0] if len(raised) == 2 else 0.0)
        outside = lists.more * levels.any()
        defined = known.any(axis=1) | (judged > 0) | (outside > 0) | (empty is not None)
        low, high = np.where(defined, now, np.inf), np.where(defined, now, -np.inf)
        low = np.minimum(low, np.where(may, each, np.inf).min(axis=1, initial=np.inf))
        high = np.maximum(high, np.where(may, each, -np.inf).max(axis=1, initial=-np.inf))
        low, high = (np.where(np.isinf(end), np.nan, end) for end in (low, high))
        return Ends(low, high, np.ones(len(low)))
