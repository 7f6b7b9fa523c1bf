"""Coverage: how many items, and users, the lists reach."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.documents.counting import count_measure
from ireval_frames.expr import Expr, lit
from ireval_frames.parameters import UPWARDS, whole
from ireval_frames.ratios import indicator, ratio
from ireval_frames.recommendations.context import RecommendationContext
from ireval_frames.recommendations.parameters import CUTOFF, RECTOOLS

GE = "Ge, Delgado-Battenfeld and Jannach, Beyond Accuracy, RecSys 2010"


@measure(
    "recommendations",
    "CatalogCoverage",
    parameters={"cutoff": CUTOFF},
    aliases=("ItemCoverage",),
    undefined=None,
    aggregation="pooled",
    formula="distinct items in the top k of all lists / items of the catalogue",
    source=GE,
)
def CatalogCoverage(c: RecommendationContext, cutoff: int | None) -> Expr:
    """The share of the catalogue that is in the top k of some list.

    CatalogCoverage@k = |∪_u L_u(k)| / |I|, over all lists together.  The catalogue I is what `catalogue=` holds; items
    of lists that are not in it are an error, so that no share is above 1.  Without it I is the items of train and of
    the lists of all systems, and a warning says so.

    Columns: user_id, item_id, and score or rank of the lists; item_id of the catalogue.

    Range: 0 to 1, higher is better; 0 without lists.  Undefined where the catalogue is empty, and for one user.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("CatalogCoverage@3").summary()["value"].round(4).item()
        0.8333
    """
    items, n = c.recommended(lit(1.0), cutoff)
    return c.of_all(ratio(items.sum(indicator(n > 0), into=c.unit), c.num_items))


@measure(
    "recommendations",
    "UserCoverage",
    parameters={"at_least": whole(1, "the number of items that a list has for its user to count"), "cutoff": CUTOFF},
    undefined=None,
    aggregation="pooled",
    formula="users with m items or more in the top k / users",
    source=f"{GE}; {RECTOOLS}",
)
def UserCoverage(c: RecommendationContext, at_least: int, cutoff: int | None) -> Expr:
    """The share of users whose list has at least m items.

    UserCoverage@k = |{u : |L_u(k)| ≥ m}| / |U|.  The users U are those that `users=` names; without it those with a
    list in some system, and those with relevant items.

    Columns: user_id, item_id, and score or rank of the lists.

    Range: 0 to 1, higher is better.  Undefined without users.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("UserCoverage@3 UserCoverage(at_least=3)@3").summary()["value"].to_list()
        [1.0, 0.75]
    """
    users = c.tables.documents
    n = c.lists.sum(c.within(lit(1.0), cutoff), into=users)
    return ratio(c.over_documents(indicator(n >= float(at_least))), c.num_documents)


@count_measure("recommendations", "NumUsers", "|U|")
def NumUsers(c: RecommendationContext) -> Expr:
    """The number of users that are evaluated, with a list or without.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("NumUsers").summary()["value"].item()
        4.0
    """
    return c.num_documents


@measure(
    "recommendations",
    "NumRecommended",
    parameters={"cutoff": CUTOFF},
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    aggregation="sum",
    formula="Σ_u |L_u(k)|",
    source="counted",
)
def NumRecommended(c: RecommendationContext, cutoff: int | None) -> Expr:
    """The number of recommended items, down to the cutoff.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> recs = ir.Recommendations(**ir.examples.recommendations())
        >>> recs.evaluate("NumRecommended").summary()["value"].item()
        11.0
    """
    return c.num_recommended(cutoff)
