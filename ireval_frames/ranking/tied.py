"""What measures are over all orders of tied documents, in closed form.

Of n tied documents behind c others r are relevant.  At place j of theirs, which is rank c + j,

- stands a relevant one with probability r / n;
- if so, (j − 1)(r − 1) / (n − 1) relevant ones of theirs stand before it, in the mean;
- stands the first relevant one of theirs, if none stood before, with probability r / (n − j + 1).

Source: McSherry and Najork, Computing Information Retrieval Performance Measures Efficiently in the Presence of Tied
Scores, ECIR 2008.
"""

from __future__ import annotations

from ireval_frames import per
from ireval_frames.expr import Expr, when
from ireval_frames.ranking.context import Query


class Tied:
    """The documents of equal score that each row stands among.

    Attributes:
        relevant: how many of them are relevant.
        size: how many they are.
        place: the row's place among them, from 1, in any order.
    """

    def __init__(self, q: Query, rel: float) -> None:
        self._q, self._rel = q, rel
        rank = q.rows.column(q.any_rank)
        low, high = self._among(rank.min(), "lowest_tied"), self._among(rank.max(), "highest_tied")
        self.relevant = self._among(q.relevant(rel).sum(), "tied_relevant")
        self.size, self.place = high - low + 1.0, rank - low + 1.0

    def _among(self, aggregate: Expr, name: str) -> Expr:
        return self._q.rows.over(aggregate, (*self._q.tables.units.keys, "score"), name=name)

    def first(self) -> per.Row:
        """The probability that the first relevant document of the list stands at this rank."""
        left = self.size - self.place + 1.0
        # Behind the last place that it can have none is waited for any more.
        stop = when(self.relevant >= left).then(1.0).otherwise(self.relevant / left)
        stop = self._q.rows.column(when(self.relevant > 0).then(stop).otherwise(0.0), "tied_first")
        return self._q.survival(stop, tied=True) * stop

    def precision(self) -> per.Row:
        """The expectation of rel_i · H(i) / i."""
        q = self._q
        so_far = q.so_far(q.relevant(self._rel), tied=True)
        before = self._among(so_far.max(), "found_with_tied") - self.relevant
        others = when(self.size > 1).then(self.size - 1.0).otherwise(1.0)
        mine = (self.place - 1.0) * (self.relevant - 1.0) / others
        return self.relevant / self.size * (before + 1.0 + mine) / q.any_rank
