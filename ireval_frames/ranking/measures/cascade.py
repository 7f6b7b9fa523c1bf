"""Measures of users who read document by document until they stop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from ireval_frames.catalog import measure
from ireval_frames.declaration import Measure, TrecName
from ireval_frames.errors import InvalidParameter, InvalidValue
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.parameters import Parameter, choice, number, whole
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.cwl.decay import geometric
from ireval_frames.ranking.cwl.readers import ENDLESS, MEASUREMENT, RESIDUAL, position_reader
from ireval_frames.ranking.cwl.scales import Gains, binary, require_scale
from ireval_frames.ranking.measures.gain import LEVELS, UNJUDGED, gaining, unit_gains
from ireval_frames.ranking.parameters import CUTOFF, JUDGED_ONLY, REL, documents, positive_grades

CHAPELLE = "Chapelle, Metzler, Zhang and Grinspan, CIKM 2009"
MAX_REL = whole(4, "the largest grade of the scale", high=1000)
_positive = number(low=0.0, high=1e15, open_ends=True).convert


TOPIC = "topic"
STOP = choice("grade", "relevance", what="(2^g − 1) / 2^max_rel of the grade, or the relevance itself, a probability")


def satisfied(q: Query, max_rel: int | str, stop: str = "grade") -> Expr:
    """The probability that a document satisfies: (2^g − 1) / 2^max of its grade, or its relevance itself."""
    if stop == "relevance":
        q.tables.plan.require(q.tables.qrels, col("relevance") > 1.0, _no_probability)
        return q.grade
    if isinstance(max_rel, str):
        largest = q.of_query(q.largest_grade)
        return lit(2.0) ** (q.grade - largest) - lit(2.0) ** -largest
    require_scale(q, float(max_rel))
    return (lit(2.0) ** q.grade - 1.0) / 2.0**max_rel


def _no_probability(rows: pl.DataFrame, count: int) -> InvalidValue:
    return InvalidValue(
        f"stop='relevance' reads relevance as a probability, and {count} judgments are above 1: query_id "
        f"{rows['query_id'][0]!r}, doc_id {rows['doc_id'][0]!r}, relevance {rows['relevance'][0]:g}.",
        "Pass judgments from 0 to 1, as of log.fit('SDBN').judgments(), or leave stop= out.",
    )


@measure(
    "ranking",
    "ERR",
    parameters={"max_rel": MAX_REL, "stop": STOP, "cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    relevant=positive_grades,
    formula="Σ 1/i · R_i · Π_{j<i}(1−R_j), R = (2^g−1)/2^max",
    source=CHAPELLE,
)
def ERR(q: Query, max_rel: int, stop: str, cutoff: int | None) -> Expr:
    """Expected reciprocal rank of the document at which a cascading user stops.

    ERR@k = Σ_{i≤k} 1/i · R_i · Π_{j<i} (1 − R_j), R = (2^g − 1) / 2^max_rel.  The default scale, 0 to 4, is gdeval's.
    With `stop="relevance"` R is the relevance itself, estimated from clicks: `log.fit("SDBN").judgments()` are such
    judgments.  (`rrDBN` reads R from the click model, and has values for documents that were never shown.)

    Range: 0 to 1, higher is better.  Defined for every query.  A grade above `max_rel` is an error, and a relevance
    above 1.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "ERR@3").wide()["ERR@3"].round(4).to_list()
        [0.1992]
    """
    stops = q.rows.column(satisfied(q, max_rel, stop))
    return q.sum(q.survival(stops) * stops / q.rank, cutoff)


@measure(
    "ranking",
    "nERR",
    parameters={"max_rel": MAX_REL, "stop": STOP, "cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    aliases=("NERR",),
    relevant=positive_grades,
    formula="ERR@k / ERR@k of the best order",
    source=CHAPELLE,
)
def nERR(q: Query, max_rel: int, stop: str, cutoff: int | None) -> Expr:
    """Expected reciprocal rank, normalized by that of the best order.

    nERR@k = ERR@k / ERR@k of the query's judgments in descending order of grade; `stop` is that of ERR.

    Range: 0 to 1, higher is better.  Without relevant documents it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "nERR@3").wide()["nERR@3"].round(4).to_list()
        [0.3986]
    """
    probability = satisfied(q, max_rel, stop)
    stops = q.rows.column(probability)
    ideal = q.ideal_cascade(probability, lambda rank: 1.0 / rank, cutoff)
    return q.ratio(q.sum(q.survival(stops) * stops / q.rank, cutoff), ideal)


def _largest(value: object) -> int | str:
    """The largest grade of the scale, or "topic"."""
    if value == TOPIC:
        return TOPIC
    try:
        return int(MAX_REL.convert(value))
    except ValueError:
        raise ValueError('a whole number from 1 to 1000, or "topic"') from None


@measure(
    "ranking",
    "RBU",
    parameters={
        "p": number(0.8, "the probability of continuing to the next document", low=0.0, high=1.0, open_ends=True),
        "effort": number(0.03, "what it costs to inspect a document; a satisfying one is worth 1", low=0.0, high=1.0),
        "max_rel": Parameter(
            TOPIC, "the largest grade of the scale; 'topic' for the largest one of the query's judgments", _largest
        ),
        "stop": STOP,
        "cutoff": CUTOFF,
        "judged_only": JUDGED_ONLY,
    },
    aliases=("RankBiasedUtility",),
    range=(-1.0, 1.0),
    relevant=None,
    formula="(1−p) Σ p^(i−1) (R_i Π_{j<i}(1−R_j) − e), R = (2^g−1)/2^max",
    source="Amigó, Spina and Carrillo-de-Albornoz, SIGIR 2018, and their program",
)
def RBU(q: Query, p: float, effort: float, max_rel: int | str, stop: str, cutoff: int | None) -> Expr:
    """Rank-biased utility: what a reader who may stop gains that is new, minus the effort of reading.

    RBU@k = (1−p) Σ_{i≤k} p^(i−1) (R_i · Π_{j<i} (1 − R_j) − e), where R = (2^g − 1) / 2^max_rel is the probability that
    a document satisfies, and e the effort of inspecting one.  All retrieved documents cost it, so that a list that
    gains nothing more should end.  With `stop="relevance"` R is the relevance itself.

    Of judgments by subtopic `RBU(subtopics="mean")` is the measure of the paper: the mean utility of the query's judged
    subtopics, by their probabilities if there is a column `subtopic_weight`, minus the effort.  Subtopics without a
    relevant document count, too.  The program of its authors has p = 0.8, e = 0.03 and max_rel="topic", as here, and
    multiplies with the weights as they are; here they are divided by their sum.

    Range: −e to 1, higher is better; 0 is the value of an empty list.  Defined for every query, also without relevant
    documents, where reading is effort alone.  A grade above a declared `max_rel` is an error, and with
    `stop="relevance"` a relevance above 1.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "RBU RBU@3").wide().row(0)
        (0.1028304, 0.10836)
        >>> ir.evaluate(*ir.examples.diversity(), "RBU(subtopics='mean')").summary()["value"].round(4).to_list()
        [0.0844]
    """
    stops = q.rows.column(satisfied(q, max_rel, stop))
    gained = q.sum(q.survival(stops) * stops * lit(p) ** (q.rank - 1.0), cutoff)
    n = q.num_retrieved
    read = n if cutoff is None else when(n < float(cutoff)).then(n).otherwise(float(cutoff))
    return (1.0 - p) * gained - effort * (1.0 - lit(p) ** read)


def any_gain(q: Query, rel: float, max_rel: float | str | None, gains: tuple[tuple[float, float], ...]) -> Expr:
    """The number of documents with a gain on the scale."""
    if max_rel is None:
        return documents(q, rel)
    return gaining(q, gains) if max_rel == "topic" else positive_grades(q)


def scale(value: object) -> float | str | None:
    """The largest grade of the scale, None or "topic"."""
    if value is None or value == "topic":
        return value
    try:
        return float(_positive(value))
    except ValueError:
        raise ValueError('None (binary gains), a positive number, or "topic"') from None


def _gains_by_query(measure: Measure, arguments: Mapping[str, Any]) -> None:
    """Refuse gains of single grades without max_rel="topic", as they are trec_eval's."""
    of_grades = arguments["gains"] or arguments["unjudged"]
    if of_grades and (
        arguments["max_rel"] != "topic"
        or arguments["measurement"] != "EU"
        or arguments["residual"]
        or arguments["max_depth"]
    ):
        raise InvalidParameter(
            f"{measure}: gains of single grades need max_rel='topic'.",
            "Write RBP(p=0.9, max_rel='topic', gains={1: 1, 2: 2}).",
        )


@measure(
    "ranking",
    "RBP",
    parameters={
        "p": number(0.8, "the probability of continuing to the next document", low=0.0, high=1.0, open_ends=True),
        "rel": REL,
        "max_rel": Parameter(
            None, "None for binary gains; the largest grade for gains g/max_rel; 'topic' for trec_eval's gains", scale
        ),
        "gains": LEVELS,
        "unjudged": UNJUDGED,
        "max_depth": Parameter(None, ENDLESS.what, ENDLESS.convert),
        "measurement": MEASUREMENT,
        "residual": RESIDUAL,
        "cutoff": CUTOFF,
        "judged_only": JUDGED_ONLY,
    },
    trec=[TrecName("rbp", fixed={"p": 0.9, "max_rel": "topic"})],
    relevant=any_gain,
    formula="(1−p) Σ p^(i−1) g_i",
    source="Moffat and Zobel, ACM TOIS 27(1), 2008; trec_eval 10 for max_rel='topic'",
    check=_gains_by_query,
)
def RBP(
    q: Query,
    p: float,
    rel: float,
    max_rel: float | str | None,
    gains: tuple[tuple[float, float], ...],
    unjudged: float,
    max_depth: int | None,
    measurement: str,
    *,
    residual: bool,
    cutoff: int | None,
) -> Expr:
    """Rank-biased precision: the rate of gain of a user who continues with probability p.

    RBP = (1−p) Σ_i p^(i−1) g_i.  Gains are 1 for grades of `rel` or more; with a number as `max_rel` they are
    g/max_rel; with "topic" they are the grades divided by the query's largest grade where that is above 1, as in
    trec_eval 10.  There `gains` sets the gain of single grades and `unjudged` that of documents without a judgment;
    if one of these, or of the other grades up to the query's largest, is above 1 or below 0, all are scaled to lie
    between 0 and 1.

    Documents after the cutoff count as not retrieved, so RBP@k is a lower bound, and `residual=True` is how much larger
    RBP may be: the weight of all ranks without a judged document.  The sum is infinite; with `max_depth` readers stop
    there, and their weights sum to 1 (cwl_eval and ir_measures stop at 1000).

    Range: 0 to 1, higher is better; for the other measurements see the user models in the documentation.  Defined for
    every query.  A grade above a declared `max_rel` is an error.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "RBP(p=0.5) RBP(p=0.5,residual=True)").wide().row(0)
        (0.625, 0.09375)
    """
    if max_rel is None:
        scaled = binary(rel)
    elif max_rel == "topic":
        scaled = Gains(unit_gains(q, gains, unjudged))
    else:
        require_scale(q, float(max_rel))
        scaled = Gains(q.grade / float(max_rel))
    if measurement == "EU" and not residual and max_depth is None:
        # In the order of trec_eval's operations, so that the last digit is the same.
        return (1.0 - p) * q.weighted_sum(scaled.worst, q.rows.column(lit(p) ** (q.any_rank - 1.0), "reach"), cutoff)
    return position_reader(q, scaled, geometric(p, max_depth), measurement, residual=residual, cutoff=cutoff)
