"""Measures of result pages: whether, where and how often they were clicked."""

from __future__ import annotations

import narwhals.stable.v2 as nw

from ireval_frames.catalog import measure
from ireval_frames.clicks.context import ClickContext
from ireval_frames.parameters import UPWARDS


@measure(
    "clicks",
    "Abandonment",
    at="",
    aliases=("AbandonmentRate",),
    higher_is_better=False,
    undefined=None,
    formula="pages without a click / pages",
    source="Radlinski, Kurup and Joachims, CIKM 2008",
)
def Abandonment(u: ClickContext) -> nw.Expr:
    """The share of the pages on which nothing was clicked.

    Pages that show nothing count as pages without a click, unless the policy says `empty="skip"`.

    Range: 0 to 1, lower is better.  Undefined without pages.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("Abandonment").summary()["value"].round(4).item()
        0.3333
    """
    return u.share_of_pages(u.clicks == 0)


@measure(
    "clicks",
    "PageCTR",
    at="",
    aliases=("AnyClick", "QueryCTR"),
    undefined=None,
    formula="pages with a click / pages",
    source="Radlinski, Kurup and Joachims, CIKM 2008",
)
def PageCTR(u: ClickContext) -> nw.Expr:
    """The share of the pages on which something was clicked: 1 − Abandonment.

    Range: 0 to 1.  Undefined without pages.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("PageCTR").summary()["value"].round(4).item()
        0.6667
    """
    return u.share_of_pages(u.clicks > 0)


@measure(
    "clicks",
    "ClicksPerPage",
    at="",
    range=UPWARDS,
    undefined=None,
    formula="clicked results / pages",
    source="Radlinski, Kurup and Joachims, CIKM 2008",
)
def ClicksPerPage(u: ClickContext) -> nw.Expr:
    """The mean number of clicked results of a page.

    Range: 0 and more.  Undefined without pages.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("ClicksPerPage").summary()["value"].round(4).item()
        0.8333
    """
    return u.ratio(u.over_pages(u.clicks), u.num_pages)


@measure(
    "clicks",
    "MRRFirstClick",
    at="",
    aliases=("MaxReciprocalRank",),
    undefined=None,
    formula="1/pages · Σ 1 / position of the first click",
    source="Radlinski, Kurup and Joachims, CIKM 2008",
)
def MRRFirstClick(u: ClickContext) -> nw.Expr:
    """The mean over the pages of the reciprocal position of the uppermost click.

    It is the mean of the largest reciprocal rank of a page.  A page without a click has 0, unless the policy says
    `no_click="skip"`.

    Range: 0 to 1.  Undefined without pages.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("MRRFirstClick").summary()["value"].round(4).item()
        0.5833
    """
    return u.mean_reciprocal(u.first_click)
