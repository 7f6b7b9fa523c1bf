"""Measures of users who read on from document to document until they stop."""

from __future__ import annotations

import math

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.catalog import measure
from ireval_frames.errors import InvalidValue
from ireval_frames.measure import Parameter, TrecName, number, whole
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.precision import CUTOFF, JUDGED_ONLY, REL

CHAPELLE = "Chapelle, Metzler, Zhang and Grinspan, CIKM 2009"
MAX_REL = whole(4, "the largest grade of the scale")


def at_most(q: Query, max_rel: float) -> None:
    """Refuse judgments above the declared maximum."""

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        row = rows.row(0, named=True)
        return InvalidValue(
            f"{q.measure} takes grades up to {max_rel:g}, but {count} judgments are above: query_id {row['query_id']!r},"
            f" doc_id {row['doc_id']!r}, relevance {row['relevance']:g}.",
            f"Declare the scale: {q.measure.split('(')[0].split('@')[0]}(max_rel={row['relevance']:g}).",
        )

    q.tables.plan.require(q.tables.qrels, nw.col("relevance") > max_rel, error)


def satisfied(q: Query, max_rel: int) -> nw.Expr:
    """The probability that a document of this grade satisfies: (2^g − 1) / 2^max."""
    at_most(q, max_rel)
    return (nw.lit(2.0) ** q.grade - 1.0) / 2.0**max_rel


@measure(
    "ranking",
    "ERR",
    parameters={"max_rel": MAX_REL, "cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    formula="Σ 1/i · R_i · Π_{j<i}(1−R_j), R = (2^g−1)/2^max",
    source=CHAPELLE,
)
def ERR(q: Query, max_rel: int, cutoff: int | None) -> nw.Expr:
    """Expected reciprocal rank of the document at which a cascading user stops.

    ERR@k = Σ_{i≤k} 1/i · R_i · Π_{j<i} (1 − R_j), R = (2^g − 1) / 2^max_rel.  The default scale, 0 to 4, is gdeval's.

    Range: 0 to 1, higher is better.  Defined for every query.  A grade above `max_rel` is an error.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "ERR@3").wide()["ERR@3"].round(4).to_list()
        [0.1992]
    """
    stop = q.rows.column(satisfied(q, max_rel))
    return q.sum(q.survival(stop) * stop / q.rank, cutoff)


@measure(
    "ranking",
    "nERR",
    parameters={"max_rel": MAX_REL, "cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    aliases=("NERR",),
    formula="ERR@k / ERR@k of the best order",
    source=CHAPELLE,
)
def nERR(q: Query, max_rel: int, cutoff: int | None) -> nw.Expr:
    """Expected reciprocal rank, normalized by that of the best order.

    nERR@k = ERR@k / ERR@k of the query's judgments in descending order of grade.

    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "nERR@3").wide()["nERR@3"].round(4).to_list()
        [0.3986]
    """
    chance = satisfied(q, max_rel)
    stop = q.rows.column(chance)
    ideal = q.ideal_cascade(chance, lambda rank: 1.0 / rank, cutoff)
    return q.per_relevant(q.sum(q.survival(stop) * stop / q.rank, cutoff), ideal)


def scale(value: object) -> float | str | None:
    """The largest grade, or where it is taken from."""
    if value is None or value == "topic":
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise ValueError('None (binary gains), a positive number, or "topic"')
    return float(value)


@measure(
    "ranking",
    "RBP",
    parameters={
        "p": number(0.8, "the probability of going on to the next document", low=0.0, high=1.0, open_ends=True),
        "rel": REL,
        "max_rel": Parameter(None, "None for binary gains; the largest grade for gains g/max_rel; 'topic' for trec_eval's gains", scale),
        "cutoff": CUTOFF,
        "judged_only": JUDGED_ONLY,
    },
    trec=[TrecName("rbp", fixed={"p": 0.9, "max_rel": "topic"})],
    formula="(1−p) Σ p^(i−1) g_i",
    source="Moffat and Zobel, ACM TOIS 27(1), 2008; trec_eval 10 for max_rel='topic'",
)
def RBP(q: Query, p: float, rel: float, max_rel: float | str | None, cutoff: int | None) -> nw.Expr:
    """Rank-biased precision: the rate of gain of a user who goes on with probability p.

    RBP = (1−p) Σ_i p^(i−1) g_i.  Gains are 1 for grades of `rel` or more; with a number as `max_rel` they are g/max_rel;
    with "topic" they are the grades divided by the query's largest grade where that is above 1, as in trec_eval 10.

    Range: 0 to 1, higher is better.  Defined for every query.  A grade above a declared `max_rel` is an error.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "RBP(p=0.5)").wide()["RBP(p=0.5)"].round(4).to_list()
        [0.625]
    """
    if max_rel is None:
        gain = q.relevant(rel)
    elif max_rel == "topic":
        largest = q.of_query(q.largest_grade)
        gain = q.grade / nw.when(largest > 1).then(largest).otherwise(1.0)
    else:
        at_most(q, float(max_rel))
        gain = q.grade / float(max_rel)
    weight = q.rows.column(nw.lit(p) ** (q.rank - 1.0))
    return (1.0 - p) * q.sum(gain * weight, cutoff)
