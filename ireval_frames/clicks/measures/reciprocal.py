"""Where pages were clicked: reciprocal ranks, and positions."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.clicks.context import ClickContext
from ireval_frames.expr import Expr
from ireval_frames.parameters import UPWARDS

RADLINSKI = "Radlinski, Kurup and Joachims, CIKM 2008"


@measure(
    "clicks",
    "MRRFirstClick",
    at="",
    aliases=("MaxReciprocalRank",),
    undefined=None,
    formula="1/pages · Σ 1 / position of the first click",
    source=RADLINSKI,
)
def MRRFirstClick(u: ClickContext) -> Expr:
    """The mean over the pages of the reciprocal position of the uppermost click.

    It is the mean of the largest reciprocal rank of a page.  A page without a click has 0, unless the policy says
    `no_click="skip"`.

    Range: 0 to 1.  Undefined without pages.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("MRRFirstClick").summary()["value"].round(4).item()
        0.5833
    """
    return u.mean_reciprocal(u.reciprocal(u.first_click))


@measure(
    "clicks",
    "MRRLastClick",
    at="",
    undefined=None,
    formula="1/pages · Σ 1 / position of the last click",
    source="as MRRFirstClick, from below",
)
def MRRLastClick(u: ClickContext) -> Expr:
    """The mean over the pages of the reciprocal position of the lowest click.

    A page without a click has 0, unless the policy says `no_click="skip"`.

    Range: 0 to 1.  Undefined without pages.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("MRRLastClick").summary()["value"].round(4).item()
        0.4722
    """
    return u.mean_reciprocal(u.reciprocal(u.last_click))


@measure(
    "clicks",
    "MRRClicks",
    at="",
    aliases=("MeanReciprocalRank",),
    range=UPWARDS,
    undefined=None,
    formula="1/pages · Σ Σ_clicks 1 / position",
    source=RADLINSKI,
)
def MRRClicks(u: ClickContext) -> Expr:
    """The mean over the pages of the sum of the reciprocal positions of all clicks.

    A page without a click has 0, unless the policy says `no_click="skip"`.

    Range: 0 and more.  Undefined without pages.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("MRRClicks").summary()["value"].round(4).item()
        0.6389
    """
    return u.mean_reciprocal(u.reciprocals)


@measure(
    "clicks",
    "LastClickPosition",
    at="",
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    formula="mean position of the last click",
    source="counted",
)
def LastClickPosition(u: ClickContext) -> Expr:
    """The mean position of the lowest click, over the pages that have one.

    Range: 1 and more, lower is better.  Undefined without clicks.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("LastClickPosition").summary()["value"].item()
        1.75
    """
    return u.mean_of_pages(u.last_click)
