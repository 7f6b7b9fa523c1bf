"""Measures of graded gains under a discount by rank."""

from __future__ import annotations

import math
from collections.abc import Callable

import narwhals.stable.v2 as nw

from ireval_frames.catalog import measure
from ireval_frames.measure import Parameter, TrecName, choice, number
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.precision import CUTOFF, DEPTHS, JUDGED_ONLY

JARVELIN = "Järvelin and Kekäläinen, ACM TOIS 20(4), 2002"

DCG_FORM = choice(
    "log2",
    "exp-log2",
    "jk",
    "exp-jk",
    what="gain g over log2(i+1); 2^g−1 over log2(i+1); the original g over log_b(i) from rank b on; 2^g−1 likewise",
)
BASE = number(2.0, "the base of the logarithm in the original discount (jk); ranks below it are not discounted", low=1.0, high=1e6, open_ends=True)


def gain_table(value: object) -> tuple[tuple[float, float], ...]:
    """A mapping from grades to gains, as sorted pairs."""
    pairs = dict(value) if isinstance(value, (dict, tuple, list)) else None
    numbers = [n for pair in pairs.items() for n in pair] if pairs is not None else [None]
    if not all(isinstance(n, int | float) and not isinstance(n, bool) and math.isfinite(n) for n in numbers):
        raise ValueError("a mapping from grades to gains, such as {1: 1, 2: 5}")
    return tuple(sorted((float(k), float(v)) for k, v in pairs.items() if float(k) != float(v) or float(k) <= 0)) if pairs else ()


GAINS = Parameter((), "the gain of each grade; grades that are not named gain themselves", gain_table)


def gain_of(q: Query, dcg: str, gains: tuple[tuple[float, float], ...]) -> nw.Expr:
    """The gain of a judgment."""
    q.needs_relevant(lambda: q.num_gaining(gain))
    gain = q.grade
    for grade, value in gains:
        gain = nw.when(nw.col("relevance") == grade).then(value).otherwise(gain)
    return nw.lit(2.0) ** gain - 1.0 if dcg.startswith("exp") else gain


def discount_of(dcg: str, base: float) -> Callable[[nw.Expr], nw.Expr]:
    """What a gain is divided by, from its rank."""
    if dcg.endswith("log2"):
        return lambda rank: (rank + 1.0).log(2)
    return lambda rank: nw.when(rank >= base).then(rank.log(base)).otherwise(1.0)


@measure(
    "ranking",
    "CG",
    parameters={"cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    range=(0.0, float("inf")),
    formula="Σ g_i",
    source=JARVELIN,
)
def CG(q: Query, cutoff: int | None) -> nw.Expr:
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
    parameters={"dcg": DCG_FORM, "gains": GAINS, "base": BASE, "cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    range=(float("-inf"), float("inf")),
    trec=[TrecName("dcg")],
    formula="Σ g_i / log2(i+1)",
    source=JARVELIN,
)
def DCG(q: Query, dcg: str, gains: tuple[tuple[float, float], ...], base: float, cutoff: int | None) -> nw.Expr:
    """Discounted cumulative gain.

    DCG@k = Σ_{i≤k} gain(g_i) / discount(i).  The form `log2` takes g over log2(i+1), `exp-log2` 2^g−1 over log2(i+1),
    `jk` the original g over max(1, log_b(i)), `exp-jk` 2^g−1 over the same.  `gains` sets the gain of single grades.

    Range: 0 upwards (less with negative gains), higher is better.  Defined for every query.

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "DCG@3").wide()["DCG@3"].round(4).to_list()
        [2.5]
    """
    return q.discounted_sum(gain_of(q, dcg, gains), discount_of(dcg, base), cutoff)


@measure(
    "ranking",
    "nDCG",
    parameters={"dcg": DCG_FORM, "gains": GAINS, "base": BASE, "cutoff": CUTOFF, "judged_only": JUDGED_ONLY},
    aliases=("NDCG",),
    trec=[TrecName("ndcg"), TrecName("ndcg_cut", parameter="cutoff", defaults=DEPTHS)],
    formula="DCG@k / DCG@k of the best order",
    source=f"{JARVELIN}; Burges et al., ICML 2005, for exp-log2; trec_eval",
)
def nDCG(q: Query, dcg: str, gains: tuple[tuple[float, float], ...], base: float, cutoff: int | None) -> nw.Expr:
    """Discounted cumulative gain, normalized by that of the best order.

    nDCG@k = DCG@k / IDCG@k, where IDCG@k takes the query's positive gains in descending order, also cut at k; without a
    cutoff it takes all of them.  The forms are those of DCG.  Where trec_eval's sort leaves gains closer than 1 in
    argument order, this sorts them.

    Range: 0 to 1 (less with negative gains), higher is better.  Without positive gains it is 0 (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> ir.evaluate(*ir.examples.ranking(), "nDCG@3").wide()["nDCG@3"].round(4).to_list()
        [0.525]
    """
    gain, discount = gain_of(q, dcg, gains), discount_of(dcg, base)
    return q.per_relevant(q.discounted_sum(gain, discount, cutoff), q.ideal_sum(gain, discount, cutoff))
