"""Diversity: how different the items of one list are."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.kernels.browsing import CONTINUING, attention
from ireval_frames.parameters import UPWARDS, choice, flag
from ireval_frames.ratios import indicator, ratio
from ireval_frames.recommendations.context import RecommendationContext
from ireval_frames.recommendations.pairs import Pairs, pairs_of_lists
from ireval_frames.recommendations.parameters import (
    BROWSING_BY_RANK,
    CUTOFF,
    LENSKIT,
    RECOMMENDERS,
    RECTOOLS,
    REL,
    p_of_browsing,
)

ZIEGLER = "Ziegler et al., Improving Recommendation Lists Through Topic Diversification, WWW 2005"
VARGAS = "Vargas and Castells, Rank and Relevance in Novelty and Diversity Metrics, RecSys 2011; RankSys"
DISTANCE = choice(
    "jaccard",
    "cosine",
    "hamming",
    "table",
    what="of the features of two items: 1 − common/all, 1 − cosine of their weights, the number that one alone has; "
    "or the distances passed",
)
UNKNOWN = choice("null", "one", what="pairs without a distance: left out, or of distance 1")


def _known(value: Expr, unknown: str) -> Expr:
    return value if unknown == "null" else value.fill_null(1.0)


def _mean_of_pairs(
    c: RecommendationContext, pairs: Pairs, value: Expr, cutoff: int | None, single: float | None
) -> Expr:
    """The mean of a value of pairs per user; of lists of one item what is chosen."""
    users = c.tables.documents
    total = pairs.rows.sum(value.fill_null(0.0), into=users)
    mean = ratio(total, pairs.rows.sum(indicator(~value.is_null()), into=users))
    if single is None:
        return c.of_user(mean)
    length = c.lists.sum(c.within(lit(1.0), cutoff), into=users)
    return c.of_user(when(length == 1.0).then(single).otherwise(mean))


@measure(
    "recommendations",
    "ILD",
    parameters={
        "distance": DISTANCE,
        "unknown": UNKNOWN,
        "single": choice("null", "zero", what="lists of one item: undefined, or 0"),
        "cutoff": CUTOFF,
    },
    aliases=("IntraListDiversity",),
    range=UPWARDS,
    undefined=None,
    formula="mean distance of two items of the top k",
    source=f"{ZIEGLER}; {RECTOOLS}, {RECOMMENDERS}",
)
def ILD(c: RecommendationContext, distance: str, unknown: str, single: str, cutoff: int | None) -> Expr:
    """The intra-list diversity: the mean distance of two items of the top k.

    ILD@k = mean over the unordered pairs of the top k items of d(i, j).  The distance is that of the items' features, 1
    − |F_i ∩ F_j| / |F_i ∪ F_j| ("jaccard"), 1 − the cosine of their weights ("cosine"), or |F_i △ F_j| ("hamming", as
    RecTools has it), or the one that was passed ("table").  Pairs without a distance, as of items without features,
    are left out, or count 1 (`unknown="one"`).

    Columns: user_id, item_id, and score or rank of the lists; item_id, feature and weight, if there is one, of the
    features; or item_id, other_item and distance of the distances.

    Range: 0 and up, to 1 for jaccard and cosine; higher is more diverse.  Undefined for lists of fewer than two items;
    with `single="zero"` 0 for lists of one, as in RecTools.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("ILD@3").per_unit()["value"].round(4).to_list()
        [0.8333, 1.0, 0.7222, 0.6667]
    """
    c.needs("distances" if distance == "table" else "features")
    pairs = pairs_of_lists(c.tables, cutoff)
    value = _known(pairs.distance(distance), unknown)
    return _mean_of_pairs(c, pairs, value, cutoff, 0.0 if single == "zero" else None)


@measure(
    "recommendations",
    "ILS",
    parameters={
        "of": choice("features", "train", "distances", what="cosine of features, of users in train, or 1 − distance"),
        "unknown": choice("zero", "null", what="pairs without a similarity: 0, or left out"),
        "single": choice("null", "one", what="lists of one item: undefined, or 1"),
        "cutoff": CUTOFF,
    },
    aliases=("IntraListSimilarity",),
    range=(float("-inf"), 1.0),
    higher_is_better=False,
    undefined=None,
    formula="mean similarity of two items of the top k",
    source=f"{ZIEGLER}; {LENSKIT}, {RECOMMENDERS}",
)
def ILS(c: RecommendationContext, of: str, unknown: str, single: str, cutoff: int | None) -> Expr:
    """The intra-list similarity: the mean similarity of two items of the top k.

    ILS@k = mean over the unordered pairs of the top k items of s(i, j): the cosine of the weights of their features
    (`of="features"`), n_ij / √(n_i n_j), where n_ij users of train used both (`of="train"`; 1 − it is the diversity of
    the library recommenders), or 1 − the distance that was passed (`of="distances"`).  Pairs without a similarity
    count 0, as in lenskit, or are left out (`unknown="null"`).

    Columns: user_id, item_id, and score or rank of the lists; those of the features, of train, or of the distances.

    Range: up to 1, from 0 where distances are at most 1; lower is more diverse.  Undefined for lists of fewer than two
    items; with `single="one"` 1 for lists of one, as in lenskit.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("ILS(of='train')@3").per_unit()["value"].round(4).to_list()
        [0.0, 0.0, 0.0, 0.2357]
    """
    c.needs(of)
    pairs = pairs_of_lists(c.tables, cutoff)
    if of == "train":
        value = pairs.similarity_in_train()
    else:
        value = 1.0 - pairs.distance("cosine" if of == "features" else "table")
    value = value.fill_null(0.0) if unknown == "zero" else value
    return _mean_of_pairs(c, pairs, pairs.rows.column(value), cutoff, 1.0 if single == "one" else None)


@measure(
    "recommendations",
    "EILD",
    parameters={
        "distance": DISTANCE,
        "unknown": UNKNOWN,
        "relevance": flag(default=True, what="count relevant items alone"),
        "browsing": BROWSING_BY_RANK,
        "p": CONTINUING,
        "rel": REL,
        "cutoff": CUTOFF,
    },
    check=p_of_browsing,
    aliases=("ExpectedIntraListDiversity",),
    range=UPWARDS,
    undefined=None,
    formula="Σ_i a(i)·r_i·D_i / Σ_i a(i), D_i the mean of d_ij over j weighted by a(max(1, j − i))·r_j",
    source=VARGAS,
)
def EILD(
    c: RecommendationContext,
    distance: str,
    unknown: str,
    relevance: bool,  # noqa: FBT001 - a parameter
    browsing: str,
    p: float,
    rel: float,
    cutoff: int | None,
) -> Expr:
    """The expected intra-list diversity, which counts by rank and by relevance.

    EILD@k = Σ_i a(i)·r_i·D_i / Σ_i a(i), where D_i = Σ_{j≠i} a(max(1, j − i))·r_j·d_ij / Σ_{j≠i} a(max(1, j − i))·r_j
    over the other items of the top k, a(r) is the attention at rank r (`browsing`), and r_i is 1 for relevant items, or
    for all with `relevance=False`.  With that and `browsing="none"` it is ILD.

    Columns: user_id, item_id, and score or rank of the lists; those of the features or distances; user_id, item_id and
    relevance, if there is one, of the relevant items.

    Range: 0 and up, to 1 for jaccard and cosine; higher is better.  Undefined for lists without two items whose
    distance is known, and with `relevance=True` for users without relevant items (policy `no_relevant`).

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("EILD(relevance=False)@3").summary()["value"].round(4).item()
        0.7884
    """
    c.needs("distances" if distance == "table" else "features")
    users, lists, pairs = c.tables.documents, c.lists, pairs_of_lists(c.tables, cutoff)
    value = _known(pairs.distance(distance), unknown)
    rows, known = pairs.rows, indicator(~value.is_null())
    first = other = lit(1.0)
    if relevance:
        first, other = c.relevance_of_pairs(rows, rel)
    gap = rows.column(col("other_rank") - col("first_rank"))
    # The other item is below the first one; the first one is as if just below the other, where the attention is 1.
    after, plan = rows.column(attention(browsing, gap, p=p)), c.tables.plan
    others = plan.selected(
        f"others_of_{plan.label}",
        (*c.tables.keys, "doc_id"),
        rows,
        doc_id=col("other_id"),
        weight_before=rows.column(first * known),
        distance_before=rows.column((first * value).fill_null(0.0)),
    )
    total = rows.sum((after * other * value).fill_null(0.0), into=lists) + others.sum(
        col("distance_before"), into=lists
    )
    below = rows.sum(after * other * known, into=lists) + others.sum(col("weight_before"), into=lists)
    weight = attention(browsing, c.rank, p=p)
    gained = weight * (c.relevance(rel) if relevance else lit(1.0)) * ratio(total, below).fill_null(0.0)
    sums = [lists.sum(c.within(lists.column(term), cutoff), into=users) for term in (gained, weight)]
    mean = when(rows.sum(known, into=users) > 0.0).then(ratio(*sums))
    return c.of_user(c.where_relevant(mean, rel) if relevance else mean)
