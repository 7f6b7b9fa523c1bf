"""What measures call relevant: where a query has none of it, the policy `no_relevant` decides.

Each is a function of the context and of parameters of the measure by their names.
"""

from __future__ import annotations

from ireval_frames.expr import Expr, col
from ireval_frames.ranking.context import Query


def documents(q: Query, rel: float) -> Expr:
    """Documents of grade `rel` or more."""
    return q.num_relevant(rel)


def positive_grades(q: Query) -> Expr:
    """Documents of a positive grade."""
    return q.num_gaining(col("relevance"))
