"""How long it took: the seconds until pages were clicked."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.clicks.context import ClickContext
from ireval_frames.clicks.measures.parameters import DWELL, FOX, UNKNOWN
from ireval_frames.expr import Expr
from ireval_frames.parameters import UPWARDS

RADLINSKI = "Radlinski, Kurup and Joachims, CIKM 2008"


@measure(
    "clicks",
    "TimeToFirstClick",
    at="",
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    formula="mean seconds until the first click",
    source=RADLINSKI,
)
def TimeToFirstClick(u: ClickContext) -> Expr:
    """The mean number of seconds until the earliest click of a page, over the pages of which it is known.

    The log needs the column `click_time`, the seconds from the page to the click, null where there is none.

    Range: 0 and more, lower is better.  Undefined without such clicks.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("TimeToFirstClick").summary()["value"].item()
        2.5
    """
    return u.mean_of_pages(u.click_time("min"))


@measure(
    "clicks",
    "TimeToLastClick",
    at="",
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    formula="mean seconds until the last click",
    source=RADLINSKI,
)
def TimeToLastClick(u: ClickContext) -> Expr:
    """The mean number of seconds until the latest click of a page, over the pages of which it is known.

    Range: 0 and more.  Undefined without such clicks.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("TimeToLastClick").summary()["value"].item()
        7.0
    """
    return u.mean_of_pages(u.click_time("max"))


@measure(
    "clicks",
    "TimeToSuccess",
    at="",
    parameters={"dwell": DWELL, "unknown": UNKNOWN},
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    formula="mean seconds until the first click of dwell ≥ t",
    source=FOX,
)
def TimeToSuccess(u: ClickContext, dwell: float, *, unknown: bool) -> Expr:
    """The mean number of seconds until the first satisfied click of a page, over the pages that have one.

    The log needs the columns `click_time` and `dwell`.

    Range: 0 and more, lower is better.  Undefined without satisfied clicks of known time.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("TimeToSuccess").summary()["value"].round(4).item()
        8.3333
    """
    return u.mean_of_pages(u.click_time("min", u.satisfied(dwell, unknown=unknown)))
