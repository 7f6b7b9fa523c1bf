"""Measures of graded gains under a discount by rank."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from ireval_frames.catalog import measure
from ireval_frames.declaration import TrecName
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.kernels.browsing import log_of_rank
from ireval_frames.parameters import ANY_NUMBER, UPWARDS, Parameter, choice, number
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.parameters import CUTOFF, DEPTHS, JUDGED_ONLY, positive_grades
from ireval_frames.ratios import ratio

JARVELIN = "Järvelin and Kekäläinen, ACM TOIS 20(4), 2002"

DCG_FORM = choice(
    "log2",
    "exp-log2",
    "jk",
    "exp-jk",
    what="gain g over log2(i+1); 2^g−1 over log2(i+1); the original g over log_b(i) from rank b on; 2^g−1 likewise",
)
BASE = number(
    2.0,
    "the base of the logarithm in the original discount (jk); ranks below it are not discounted",
    low=1.0,
    high=1e6,
    open_ends=True,
)


_number = number().convert


def gain_pairs(value: object) -> tuple[tuple[float, float], ...]:
    """A mapping from grades to gains, as sorted pairs."""
    try:
        pairs = dict(value) if isinstance(value, (dict, tuple, list)) else {None: None}
        return tuple(sorted((_number(grade), _number(gain)) for grade, gain in pairs.items()))
    except (TypeError, ValueError):
        raise ValueError("a mapping from grades to gains, such as {1: 1, 2: 5}") from None


def gain_table(value: object) -> tuple[tuple[float, float], ...]:
    """The same without positive grades whose gain is the grade."""
    return tuple((grade, gain) for grade, gain in gain_pairs(value) if grade != gain or grade <= 0)


GAINS = Parameter((), "the gain of each grade; the gain of other grades is the grade", gain_table)
LEVELS = Parameter((), "the gain of each grade; the largest one named or judged scales them all", gain_pairs)
UNJUDGED = number(0.0, "the gain of documents without a judgment")


def gains_of(
    q: Query, gains: tuple[tuple[float, float], ...], unjudged: float = 0.0, dcg: str = "log2"
) -> tuple[Expr, Expr]:
    """The gain of a retrieved document, and that of a judgment in the best order.

    The best order has only judged documents: none without a judgment or of a negative grade.
    """
    if unjudged:
        q.use_all_rows()
    gain, ideal = _gain(q, gains), _ideal_gain(q, gains)
    if unjudged:
        gain = when(col("relevance").is_null()).then(unjudged).otherwise(gain)
    if dcg.startswith("exp"):
        return lit(2.0) ** gain - 1.0, lit(2.0) ** ideal - 1.0
    return gain, ideal


def gaining(q: Query, gains: tuple[tuple[float, float], ...]) -> Expr:
    """The number of judged documents with a positive gain."""
    return q.num_gaining(_ideal_gain(q, gains))


def _gain(q: Query, gains: tuple[tuple[float, float], ...]) -> Expr:
    gain = q.grade
    for grade, value in gains:
        gain = when(col("relevance") == grade).then(value).otherwise(gain)
    return gain


def _ideal_gain(q: Query, gains: tuple[tuple[float, float], ...]) -> Expr:
    gain = _gain(q, gains)
    if all(grade >= 0 for grade, _ in gains):
        return gain
    return when(col("relevance") >= 0).then(gain).otherwise(0.0)


def unit_gains(q: Query, gains: tuple[tuple[float, float], ...], unjudged: float = 0.0) -> Expr:
    """The gain of a retrieved document from 0 to 1, scaled per query as trec_eval 10 does for rank-biased precision.

    The levels of a query are its integer grades up to the largest, and those in `gains` (LEVELS).  If one gains more
    than 1 or less than 0, all are scaled by the smallest (at most 0) and the largest of them.  Documents without a
    level (no judgment, a negative grade) gain 0.
    """
    if unjudged:
        q.use_all_rows()
    by_grade = dict(gains)
    values = [*by_grade.values(), unjudged]
    # The largest level that is not in `gains`.
    level = q.of_query(q.largest_grade)
    for grade in sorted((g for g in by_grade if g >= 0), reverse=True):
        level = when(level == grade).then(level - 1.0).otherwise(level)
    low, largest = min(0.0, *values), max(0.0, *values)
    high = when(level > largest).then(level).otherwise(largest)

    def scaled(value: Expr) -> Expr:
        return (value - low) / (high - low) if low < 0 else when(high > 1).then(ratio(value, high)).otherwise(value)

    gain = when(col("relevance") >= 0).then(scaled(col("relevance").cast(pl.Float64))).otherwise(0.0)
    for grade, value in gains:
        gain = when(col("relevance") == grade).then(scaled(lit(value))).otherwise(gain)
    return when(col("relevance").is_null()).then(scaled(lit(unjudged))).otherwise(gain) if unjudged else gain


def discount_of(dcg: str, base: float) -> Callable[[Expr], Expr]:
    """The discount by which gains are divided, as a function of the rank."""
    if dcg.endswith("log2"):
        return log_of_rank
    return lambda rank: when(rank >= base).then(rank.log(base)).otherwise(1.0)


@measure(
    "ranking",
    "CG",
    parameters={"cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    range=UPWARDS,
    relevant=positive_grades,
    formula="Σ g_i",
    source=JARVELIN,
)
def CG(q: Query, cutoff: int | None) -> Expr:
    """Cumulative gain: the sum of the grades of the retrieved documents.

    CG@k = Σ_{i≤k} g_i; negative grades and unjudged documents gain 0.

    Range: 0 upwards, higher is better.  Defined for every query.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "CG@3").wide()["CG@3"].round(4).to_list()
        [4.0]
    """
    return q.discounted_sum(q.grade, cutoff=cutoff)


@measure(
    "ranking",
    "DCG",
    parameters={
        "dcg": DCG_FORM,
        "gains": GAINS,
        "unjudged": UNJUDGED,
        "base": BASE,
        "cutoff": CUTOFF,
        "judged_only": JUDGED_ONLY,
    },
    range=ANY_NUMBER,
    trec=[TrecName("dcg")],
    relevant=gaining,
    formula="Σ g_i / log2(i+1)",
    source=JARVELIN,
)
def DCG(
    q: Query, dcg: str, gains: tuple[tuple[float, float], ...], unjudged: float, base: float, cutoff: int | None
) -> Expr:
    """Discounted cumulative gain.

    DCG@k = Σ_{i≤k} gain(g_i) / discount(i).  The form `log2` takes g over log2(i+1), `exp-log2` 2^g−1 over log2(i+1),
    `jk` the original g over max(1, log_b(i)), `exp-jk` 2^g−1 over the same.  `gains` sets the gain of single grades,
    `unjudged` that of documents without a judgment (trec_eval's `ndcg.-1=g`; it reads all rows of the run).

    Range: 0 upwards (less with negative gains), higher is better.  Defined for every query.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "DCG@3").wide()["DCG@3"].round(4).to_list()
        [2.5]
    """
    gain, _ = gains_of(q, gains, unjudged, dcg)
    return q.discounted_sum(gain, discount_of(dcg, base), cutoff)


@measure(
    "ranking",
    "IDCG",
    parameters={"dcg": DCG_FORM, "gains": GAINS, "base": BASE, "cutoff": CUTOFF},
    range=UPWARDS,
    higher_is_better=None,
    trec=[TrecName("ideal_dcg")],
    relevant=gaining,
    formula="DCG@k of the best order",
    source=f"{JARVELIN}; trec_eval",
)
def IDCG(q: Query, dcg: str, gains: tuple[tuple[float, float], ...], base: float, cutoff: int | None) -> Expr:
    """The discounted cumulative gain of the best order: the largest possible DCG.

    IDCG@k = Σ_{i≤k} g*_i / discount(i), where g*_1 ≥ g*_2 ≥ … are the query's positive gains.  The forms are those of
    DCG.  It depends on the judgments alone, so missing queries have it, too.

    Range: 0 upwards.  Without positive gains it is 0.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "IDCG@3").wide()["IDCG@3"].round(4).to_list()
        [4.7619]
    """
    _, ideal = gains_of(q, gains, dcg=dcg)
    return q.ideal_sum(ideal, discount_of(dcg, base), cutoff)


@measure(
    "ranking",
    "nDCG",
    parameters={
        "dcg": DCG_FORM,
        "gains": GAINS,
        "unjudged": UNJUDGED,
        "base": BASE,
        "cutoff": CUTOFF,
        "judged_only": JUDGED_ONLY,
    },
    aliases=("NDCG",),
    trec=[
        TrecName("ndcg"),
        TrecName("ndcg_cut", parameter="cutoff", defaults=DEPTHS),
        TrecName("ndcg_p", fixed={"dcg": "jk"}),
    ],
    relevant=gaining,
    formula="DCG@k / DCG@k of the best order",
    source=f"{JARVELIN}; Burges et al., ICML 2005, for exp-log2; trec_eval",
)
def nDCG(
    q: Query, dcg: str, gains: tuple[tuple[float, float], ...], unjudged: float, base: float, cutoff: int | None
) -> Expr:
    """Discounted cumulative gain, normalized by that of the best order.

    nDCG@k = DCG@k / IDCG@k, where IDCG@k takes the query's positive gains in descending order, also cut at k; without a
    cutoff it takes all of them.  The forms and gains are those of DCG.  Where trec_eval's sort leaves gains closer than
    1 in argument order, this sorts them.

    Range: 0 to 1 (less with negative gains, more where unjudged documents gain), higher is better.  Without positive
    gains it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "nDCG@3").wide()["nDCG@3"].round(4).to_list()
        [0.525]
    """
    gain, ideal = gains_of(q, gains, unjudged, dcg)
    discount = discount_of(dcg, base)
    return q.ratio(q.discounted_sum(gain, discount, cutoff), q.ideal_sum(ideal, discount, cutoff))
