"""Measures of result pages: whether they show anything, and whether they were clicked."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.clicks.context import ClickContext
from ireval_frames.clicks.measures.parameters import CUTOFF, DWELL, FOX, UNKNOWN
from ireval_frames.expr import Expr
from ireval_frames.parameters import UPWARDS, number

RADLINSKI = "Radlinski, Kurup and Joachims, CIKM 2008"
GOOD = "Li, Huffman and Tokuda, SIGIR 2009"
LOOKED = number(30.0, "the seconds of looking at a page from which an abandonment is good", low=0.0)


@measure(
    "clicks",
    "Abandonment",
    at="",
    aliases=("AbandonmentRate",),
    higher_is_better=False,
    undefined=None,
    formula="pages without a click / pages",
    source=RADLINSKI,
)
def Abandonment(u: ClickContext) -> Expr:
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
    "GoodAbandonment",
    at="",
    parameters={"dwell": LOOKED},
    undefined=None,
    formula="pages without a click, looked at for t seconds or more / pages",
    source=GOOD,
)
def GoodAbandonment(u: ClickContext, dwell: float) -> Expr:
    """The share of the pages on which nothing was clicked, but which were looked at for long.

    Such a page may have said all that was asked for.  The log needs the column `page_dwell`, the seconds that a page
    was looked at; pages without a click of which they are not known are left out.

    Range: 0 to 1.  Undefined without such pages.

    Example:
        >>> import ireval_frames as ir
        >>> log = ir.Impressions(ir.examples.click_log())
        >>> log.evaluate("GoodAbandonment(dwell=10) BadAbandonment(dwell=10)").summary()["value"].round(4).to_list()
        [0.1667, 0.1667]
    """
    return u.abandoned(dwell, satisfied=True)


@measure(
    "clicks",
    "BadAbandonment",
    at="",
    parameters={"dwell": LOOKED},
    higher_is_better=False,
    undefined=None,
    formula="pages without a click, looked at for less than t seconds / pages",
    source=GOOD,
)
def BadAbandonment(u: ClickContext, dwell: float) -> Expr:
    """The share of the pages on which nothing was clicked, and which were looked at but shortly.

    The other part of Abandonment than GoodAbandonment, over the same pages.

    Range: 0 to 1, lower is better.  Undefined without such pages.

    Example:
        >>> import ireval_frames as ir
        >>> log = ir.Impressions(ir.examples.click_log())
        >>> log.evaluate("BadAbandonment").summary()["value"].round(4).item()
        0.3333
    """
    return u.abandoned(dwell, satisfied=False)


@measure(
    "clicks",
    "PageCTR",
    parameters={"cutoff": CUTOFF},
    aliases=("AnyClick", "QueryCTR"),
    undefined=None,
    formula="pages with a click / pages",
    source=RADLINSKI,
)
def PageCTR(u: ClickContext, cutoff: int | None) -> Expr:
    """The share of the pages on which something was clicked, or something among the first k positions.

    Without cutoff it is 1 − Abandonment.

    Range: 0 to 1.  Undefined without pages.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("PageCTR PageCTR@1").summary()["value"].to_list()
        [0.6666666666666666, 0.5]
    """
    return u.share_of_pages(u.clicks > 0 if cutoff is None else u.first_click <= cutoff)


@measure(
    "clicks",
    "PageSuccess",
    at="",
    parameters={"dwell": DWELL, "unknown": UNKNOWN},
    undefined=None,
    formula="pages with a click of dwell ≥ t / pages",
    source=FOX,
)
def PageSuccess(u: ClickContext, dwell: float, *, unknown: bool) -> Expr:
    """The share of the pages with a satisfied click: one after which the user stayed on the document.

    The log needs the column `dwell`, the seconds on the document, null where they are not known.

    Range: 0 to 1.  Undefined without pages.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("PageSuccess").summary()["value"].item()
        0.5
    """
    return u.share_of_pages(u.tables.log.sum(u.satisfied(dwell, unknown=unknown), into=u.pages) > 0)


@measure(
    "clicks",
    "ClicksPerPage",
    at="",
    range=UPWARDS,
    undefined=None,
    formula="clicked results / pages",
    source=RADLINSKI,
)
def ClicksPerPage(u: ClickContext) -> Expr:
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
    "ZeroResultRate",
    at="",
    aliases=("NoResultRate",),
    higher_is_better=False,
    undefined=None,
    formula="pages that show nothing / pages",
    source="User Behavior Insights",
)
def ZeroResultRate(u: ClickContext) -> Expr:
    """The share of the pages that show nothing, whatever the policy says of them.

    A log of shown results alone knows no such page: they are rows without document and position, or rows of `pages=`.

    Range: 0 to 1, lower is better.  Undefined without pages.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("ZeroResultRate").summary()["value"].round(4).item()
        0.1667
    """
    return u.empty_share()
