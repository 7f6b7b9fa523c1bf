"""Numbers of items, raters and ratings."""

from __future__ import annotations

from ireval_frames.expr import Expr
from ireval_frames.parameters import UPWARDS
from ireval_frames.ratings.context import RatingContext
from ireval_frames.ratings.measures import rating_measure


@rating_measure("NumRatedItems", range=UPWARDS, higher_is_better=None, formula="n", source="counted")
def NumRatedItems(c: RatingContext) -> Expr:
    """The number of items that have a rating, or the sum of their weights.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Ratings(ir.examples.ratings()).evaluate("NumRatedItems").summary()["value"].item()
        12.0
    """
    return c.num_items


@rating_measure("NumRaters", range=UPWARDS, higher_is_better=None, formula="r", source="counted")
def NumRaters(c: RatingContext) -> Expr:
    """The number of raters who rated an item.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Ratings(ir.examples.ratings()).evaluate("NumRaters").summary()["value"].item()
        4.0
    """
    return c.num_raters


@rating_measure("NumRatings", range=UPWARDS, higher_is_better=None, formula="Σ_i m_i", source="counted")
def NumRatings(c: RatingContext) -> Expr:
    """The number of ratings, or the sum of the weights of their items.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Ratings(ir.examples.ratings()).evaluate("NumRatings").summary()["value"].item()
        41.0
    """
    return c.num_ratings
