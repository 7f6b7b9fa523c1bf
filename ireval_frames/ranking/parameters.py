"""Parameters that many measures have, their sources, and what measures count as relevant."""

from __future__ import annotations

import polars as pl

from ireval_frames.errors import InvalidValue
from ireval_frames.expr import Expr, col
from ireval_frames.parameters import flag, number, whole
from ireval_frames.ranking.context import Query

REL = number(1.0, "the lowest grade that counts as relevant")
CUTOFF = whole(None, "evaluate the top k")
REQUIRED_CUTOFF = whole(what="evaluate the top k")
N_DOCS = number(0.0, "the number of documents in the collection; 0: count judged documents only", low=0.0)
JUDGED_ONLY = flag(what="remove unjudged documents before ranks are assigned")
DEPTHS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TREC_EVAL = "trec_eval (NIST)"


# What measures count as relevant (`relevant=`), as functions of the context and of the measure's parameters by name:
# where a query has none of it, the policy `no_relevant` decides.


def documents(q: Query, rel: float) -> Expr:
    """The number of documents of grade `rel` or more."""
    return q.num_relevant(rel)


def positive_grades(q: Query) -> Expr:
    """The number of documents of a positive grade."""
    return q.num_gaining(col("relevance"))


def require_collection(q: Query, measure: str, n_docs: float, too_small: Expr) -> None:
    """Refuse a size of the collection that is smaller than the number of known documents of some unit."""

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        del rows
        number = f" of {count} queries" if count > 1 else ""
        return InvalidValue(
            f"n_docs is {n_docs:g}, and more documents{number} are retrieved or relevant.",
            f"Write the number of documents in the collection: {measure}(n_docs=1000000)",
        )

    unit = q.tables.plan.unit
    q.tables.plan.require(unit, unit.column(too_small, "beyond"), error)
