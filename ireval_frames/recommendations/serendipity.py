"""Serendipity and unexpectedness: relevant items that popularity, the history or another recommender do not suggest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidParameter
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import choice, flag, whole
from ireval_frames.ratios import ratio
from ireval_frames.recommendations.context import RecommendationContext
from ireval_frames.recommendations.pairs import pairs_with_history
from ireval_frames.recommendations.parameters import CUTOFF, OVER, RECOMMENDERS, RECTOOLS, REL, REPLAY

GE = "Ge, Delgado-Battenfeld and Jannach, Beyond Accuracy, RecSys 2010"
AURALIST = "Zhang et al., Auralist: Introducing Serendipity into Music Recommendation, WSDM 2012"


def _k_of_baseline(measure: Measure, arguments: Mapping[str, Any]) -> None:
    """Refuse a baseline without its length.

    Raises:
        InvalidParameter: there is no cutoff.
    """
    if arguments["of"] == "baseline" and arguments["cutoff"] is None:
        raise InvalidParameter(
            f"{measure} compares with the top k of a baseline, and has no cutoff.",
            "Write Serendipity(of='baseline')@10.",
        )


@measure(
    "recommendations",
    "Serendipity",
    parameters={
        "of": choice("popularity", "history", "baseline", what="what does not suggest the item"),
        "relevance": flag(default=True, what="count relevant items alone"),
        "rel": REL,
        "cutoff": CUTOFF,
    },
    undefined=None,
    reads=("train",),
    check=_k_of_baseline,
    formula="mean over the top k of r_i times how little popularity, the history or a baseline suggests item i",
    source=f"{RECTOOLS} (popularity); {AURALIST}; {RECOMMENDERS} (history); {GE} (baseline)",
)
def Serendipity(c: RecommendationContext, of: str, relevance: bool, rel: float, cutoff: int | None) -> Expr:  # noqa: FBT001
    """How many relevant items are in the top k that something simple does not suggest: three measures of one name.

    The mean over the top k items of s_i · r_i, where r_i is 1 for relevant items, or for all with `relevance=False`:
    - `of="popularity"`, as in RecTools: s_i = max(0, (n + 1 − rank_i)/n − (n + 1 − place_i)/n), where place_i is the
      dense rank of item i by its uses in train, and n the number of items of the catalogue; the second term is 0 for an
      item that nobody used;
    - `of="history"`, as in recommenders: s_i = 1 − mean over the user's items j of train of n_ij / √(n_i n_j), where
      n_ij users used both;
    - `of="baseline"`: s_i = 1 for items that are not in the top k of another recommender: the list passed as
      `baseline=`, or the k most used items, ties by ascending ids.

    Columns: user_id, item_id, and score or rank of the lists; user_id and item_id of train; user_id, item_id and
    relevance, if there is one, of the relevant items.

    Range: 0 to 1, higher is better.  Undefined for users without a list, without relevant items (with
    `relevance=True`; policy `no_relevant`), and of="history" for those without items in train.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> serendipity = "Serendipity@3 Serendipity(of='history')@3 Serendipity(of='baseline')@3"
        >>> recs.evaluate(serendipity).summary()["value"].round(4).to_list()
        [0.1042, 0.1972, 0.1667]
    """
    lists = c.lists
    match of:
        case "popularity":
            n = lists.lookup(c.tables.num_items, of=c.tables.all_items)
            c.tables.reads_catalogue.append(c.measure)
            ahead = ratio(n + 1.0 - c.rank, n) - ratio(n + 1.0 - c.popularity_place, n).fill_null(0.0)
            surprise = when(ahead > 0.0).then(ahead).otherwise(0.0)
        case "history":
            c.needs("train")
            pairs = pairs_with_history(c.tables, cutoff)
            similarity = pairs.similarity_in_train()
            surprise = 1.0 - lists.column(pairs.rows.mean(similarity, into=lists))
        case _:
            surprise = 1.0 - c.in_baseline(int(cutoff or 0))
    value = surprise * c.relevance(rel) if relevance else surprise
    with c.tables.plan.into(c.tables.documents):
        mean = c.mean(value, cutoff)
    return c.of_user(c.where_relevant(mean, rel) if relevance else mean)


@measure(
    "recommendations",
    "Unexpectedness",
    parameters={"over": OVER, "cutoff": whole(what="the top k items of both lists")},
    undefined=None,
    pools=True,
    reads=("train",),
    formula="1 − items of the top k that are in the top k of the baseline / items of the top k",
    source=REPLAY,
)
def Unexpectedness(c: RecommendationContext, over: str, cutoff: int) -> Expr:
    """The share of the top k items that are not in the top k of another recommender.

    1 − |L(k) ∩ B(k)| / |L(k)|, where the baseline B is the list passed as `baseline=`, or the k most used items of
    train, ties by ascending ids.  With `over="k"` what both have is divided by k, also where the list is shorter, as in
    RePlay, where users without a list, or without a baseline, have 0 besides.

    Columns: user_id, item_id, and score or rank of the lists; item_id, score or rank, and user_id, if each user has a
    list, of the baseline; or user_id and item_id of train.

    Range: 0 to 1, higher is less expected.  Undefined for users without a list, or without a baseline list where others
    have one.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("Unexpectedness@3").per_unit()["value"].round(4).to_list()
        [0.6667, 0.5, 0.6667, 0.3333]
    """
    return 1.0 - c.mean(c.in_baseline(cutoff), cutoff, over)
