"""Parameters that many measures have, their sources, and what measures count as relevant."""

from __future__ import annotations

from ireval_frames.expr import Expr, col
from ireval_frames.parameters import flag, number, whole
from ireval_frames.ranking.context import Query

REL = number(1.0, "the lowest grade that counts as relevant")
CUTOFF = whole(None, "evaluate the top k")
REQUIRED_CUTOFF = whole(what="evaluate the top k")
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
