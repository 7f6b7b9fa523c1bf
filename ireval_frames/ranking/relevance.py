"""What measures call relevant: where a query has none of it, the policy `no_relevant` decides.

Each is a function of the context and of parameters of the measure by their names.
"""

from __future__ import annotations

import narwhals.stable.v2 as nw

from ireval_frames.ranking.context import Query


def documents(q: Query, rel: float) -> nw.Expr:
    """Documents of grade `rel` or more."""
    return q.num_relevant(rel)


def positive_grades(q: Query) -> nw.Expr:
    """Documents of a positive grade."""
    return q.num_gaining(nw.col("relevance"))
