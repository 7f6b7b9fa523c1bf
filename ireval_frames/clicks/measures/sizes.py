"""How much there is: pages, results and clicks."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.clicks.context import ClickContext
from ireval_frames.expr import Expr
from ireval_frames.parameters import UPWARDS


@measure("clicks", "NumPages", at="", range=UPWARDS, higher_is_better=None, undefined=None, formula="pages",
         source="counted")  # fmt: skip
def NumPages(u: ClickContext) -> Expr:
    """The number of pages that count, or the sum of their weights.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("NumPages").summary()["value"].item()
        6.0
    """
    return u.num_pages


@measure("clicks", "NumResults", at="", range=UPWARDS, higher_is_better=None, undefined=None, formula="results shown",
         source="counted")  # fmt: skip
def NumResults(u: ClickContext) -> Expr:
    """The number of results that were shown, or the sum of their weights.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("NumResults").summary()["value"].item()
        14.0
    """
    return u.over_places(u.shown_there)


@measure("clicks", "NumClicks", at="", range=UPWARDS, higher_is_better=None, undefined=None, formula="clicked results",
         source="counted")  # fmt: skip
def NumClicks(u: ClickContext) -> Expr:
    """The number of results that were clicked, or the sum of their weights.

    Range: 0 and up.  Never undefined.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("NumClicks").summary()["value"].item()
        5.0
    """
    return u.over_places(u.clicked_there)
