"""Precision interpolated at levels of recall."""

from __future__ import annotations

from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.declaration import TrecName
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import Parameter, number
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.parameters import JUDGED_ONLY, REL, documents


def reached(q: Query, rel: float, recall: float) -> Expr:
    """The number of relevant documents at which a recall level counts as reached, at every row."""
    relevant = q.of_query(q.num_relevant(rel))
    q.tables.recall_levels.add((rel, recall))
    match q.tables.policy.interpolation:
        case "trec_eval-9":
            return (recall * relevant + 0.9).floor()
        case "trec_eval-10":
            return (recall * relevant + 0.5).floor()
        case _:
            return recall * relevant - 1e-9


def interpolated(q: Query, rel: float, recall: float) -> Expr:
    """The largest precision at or after the rank where the recall level is reached."""
    hits = q.so_far(q.relevant(rel))
    return q.max(when(hits >= reached(q, rel, recall)).then(hits / q.rank)).fill_null(0.0)


@measure(
    "ranking",
    "IPrec",
    parameters={"rel": REL, "recall": number(what="the recall level", low=0.0, high=1.0), "judged_only": JUDGED_ONLY},
    at="recall",
    trec=[
        TrecName(
            "iprec_at_recall",
            parameter="recall",
            defaults=(0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
            pattern="{name}_{value:3.2f}",
        )
    ],
    relevant=documents,
    formula="max precision at any rank where recall ≥ x",
    source="trec_eval; Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, 8.4",
)
def IPrec(q: Query, rel: float, recall: float) -> Expr:
    """The interpolated precision at a recall level.

    IPrec@x is the largest precision at or after the rank where x·R relevant documents are seen; 0 if that never
    happens.  The policy `interpolation` says how x·R is rounded: to the nearest integer (trec_eval 10), ⌊x·R+0.9⌋
    (trec_eval 9), or not at all (`exact`: recall ≥ x, as in textbooks).

    Range: 0 to 1, higher is better.  Without relevant documents it is 0.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "IPrec@0.5").wide()["IPrec@0.5"].round(4).to_list()
        [0.6667]
    """
    return interpolated(q, rel, recall)


def levels(value: Any) -> tuple[float, ...]:
    """Recall levels as a tuple of floats."""
    try:
        values = tuple(float(v) for v in value)
    except (TypeError, ValueError):
        values = ()
    if not values or any(not 0 <= v <= 1 for v in values):
        raise ValueError("recall levels between 0 and 1, such as [0.2, 0.5, 0.8]")
    return values


ELEVEN = tuple(i / 10 for i in range(11))


@measure(
    "ranking",
    "IAP",
    parameters={"rel": REL, "recalls": Parameter(ELEVEN, "the recall levels", levels), "judged_only": JUDGED_ONLY},
    trec=[TrecName("11pt_avg")],
    relevant=documents,
    formula="mean of IPrec over the recall levels",
    source="trec_eval (11pt_avg); Salton and McGill 1983",
)
def IAP(q: Query, rel: float, recalls: tuple[float, ...]) -> Expr:
    """Interpolated average precision: the mean of the interpolated precision at 11 recall levels (0, 0.1, …, 1).

    Range: 0 to 1, higher is better.  Without relevant documents it is 0.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "IAP").wide()["IAP"].round(4).to_list()
        [0.697]
    """
    total = interpolated(q, rel, recalls[0])
    for recall in recalls[1:]:
        total = total + interpolated(q, rel, recall)
    return total / float(len(recalls))
