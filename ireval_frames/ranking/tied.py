"""The expectation of measures over all orders of tied documents, in closed form.

Let n documents be tied after c others, r of them relevant.  The document at rank c + j, the j-th of the tied ones,

- is relevant with probability r / n;
- if so, has on average (j − 1)(r − 1) / (n − 1) relevant ones of the tied documents before it;
- is the first relevant one of them, if none is before it, with probability r / (n − j + 1).

Source: McSherry and Najork, Computing Information Retrieval Performance Measures Efficiently in the Presence of Tied
Scores, ECIR 2008.
"""

from __future__ import annotations

from ireval_frames import per
from ireval_frames.expr import Expr, when
from ireval_frames.ranking.context import Query


class Tied:
    """The tied documents of each row: those of equal score in its list.

    Attributes:
        relevant: the number of relevant ones.
        size: their number.
        position: the row's position among them, from 1, in any order.
    """

    def __init__(self, q: Query, rel: float) -> None:
        self._q, self._rel = q, rel
        rank = q.rows.column(q.any_rank)
        low, high = self._among(rank.min(), "lowest_tied"), self._among(rank.max(), "highest_tied")
        self.relevant = self._among(q.relevant(rel).sum(), "tied_relevant")
        self.size, self.position = high - low + 1.0, rank - low + 1.0

    def _among(self, aggregate: Expr, name: str) -> Expr:
        return self._q.rows.over(aggregate, (*self._q.tables.units.keys, "score"), name=name)

    def first(self) -> per.Row:
        """The probability that the first relevant document of the list is at this rank."""
        remaining = self.size - self.position + 1.0
        # After the last possible position of the first relevant document the probability is 1.
        stop = when(self.relevant >= remaining).then(1.0).otherwise(self.relevant / remaining)
        stop = self._q.rows.column(when(self.relevant > 0).then(stop).otherwise(0.0), "tied_first")
        return self._q.survival(stop, tied=True) * stop

    def precision(self) -> per.Row:
        """The expectation of rel_i · H(i) / i."""
        q = self._q
        so_far = q.so_far(q.relevant(self._rel), tied=True)
        before_ties = self._among(so_far.max(), "hits_with_tied") - self.relevant
        n_others = when(self.size > 1).then(self.size - 1.0).otherwise(1.0)
        before_tied = (self.position - 1.0) * (self.relevant - 1.0) / n_others
        return self.relevant / self.size * (before_ties + 1.0 + before_tied) / q.any_rank
