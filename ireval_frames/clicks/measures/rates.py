"""Click-through rates: clicks over what was shown."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.clicks.context import ClickContext
from ireval_frames.clicks.measures.parameters import CUTOFF, DWELL, FOX, UNKNOWN
from ireval_frames.expr import Expr, col, when
from ireval_frames.parameters import choice


@measure(
    "clicks",
    "CTR",
    parameters={
        "cutoff": CUTOFF,
        "per": choice(
            "result",
            "page",
            "query",
            "document",
            "position",
            what="of what it is the rate; a mean for others than results",
        ),
    },
    aliases=("ClickThroughRate",),
    undefined=None,
    formula="clicks / results shown",
    source="Joachims, Granka, Pan, Hembrooke and Gay, SIGIR 2005",
)
def CTR(u: ClickContext, cutoff: int | None, per: str) -> Expr:
    """The share of the shown results that were clicked: the click-through rate of a result.

    CTR@k = clicks on the first k positions / results shown there.  CTR@1 is that of the first position.  With `per=` it
    is the mean of the rates of pages (by their weights), or of queries, documents or positions (each once), of which a
    result was shown.  `log.rates` has the rates of every position, query or document.

    Range: 0 to 1.  Undefined where nothing was shown.

    Example:
        >>> import ireval_frames as ir
        >>> log = ir.Impressions(ir.examples.click_log())
        >>> log.evaluate("CTR CTR@1 CTR(per='query')").summary()["value"].round(4).to_list()
        [0.3571, 0.6, 0.3222]
    """
    if per == "result":
        return u.ratio(u.over_places(u.clicked_there, cutoff), u.over_places(u.shown_there, cutoff))
    return u.mean_rate(per, cutoff)


@measure(
    "clicks",
    "SatCTR",
    parameters={"cutoff": CUTOFF, "dwell": DWELL, "unknown": UNKNOWN},
    aliases=("SatisfiedCTR",),
    undefined=None,
    formula="clicks with dwell ≥ t / results shown",
    source=FOX,
)
def SatCTR(u: ClickContext, cutoff: int | None, dwell: float, *, unknown: bool) -> Expr:
    """The share of the shown results with a satisfied click: one after which the user stayed on the document.

    SatCTR = clicks with at least `dwell` seconds / results shown.  The log needs the column `dwell`, null where it is
    not known.

    Range: 0 to 1.  Undefined where nothing was shown.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("SatCTR").summary()["value"].round(4).item()
        0.2143
    """
    return u.ratio(u.over_log(u.satisfied(dwell, unknown=unknown), cutoff), u.over_places(u.shown_there, cutoff))


@measure(
    "clicks",
    "SatClickShare",
    at="",
    parameters={"dwell": DWELL, "unknown": UNKNOWN},
    aliases=("SatisfiedClickRate",),
    undefined=None,
    formula="clicks with dwell ≥ t / clicks",
    source=FOX,
)
def SatClickShare(u: ClickContext, dwell: float, *, unknown: bool) -> Expr:
    """The share of the clicks after which the user stayed on the document.

    Range: 0 to 1.  Undefined without clicks.

    Example:
        >>> import ireval_frames as ir
        >>> log = ir.Impressions(ir.examples.click_log())
        >>> log.evaluate("SatClickShare SatClickShare(dwell=50)").summary()["value"].to_list()
        [0.6, 0.4]
    """
    return u.ratio(u.over_log(u.satisfied(dwell, unknown=unknown)), u.over_places(u.clicked_there))


@measure(
    "clicks",
    "PSkip",
    at="",
    higher_is_better=False,
    undefined=None,
    formula="results without a click above the last one / results above it",
    source="Wang, Walker and Zheng, KDD 2009",
)
def PSkip(u: ClickContext) -> Expr:
    """The share of the results above the last click of their page that were not clicked themselves.

    Those results were passed over by a user who read on.  Pages without a click, or with one on the first result alone,
    have none.

    Range: 0 to 1, lower is better.  Undefined where no result stands above a last click.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("PSkip").summary()["value"].round(4).item()
        0.6667
    """
    last = u.tables.log.lookup(u.last_click, of=u.pages)
    above = when(col("position") < last).then(1.0).otherwise(0.0)
    return u.ratio(u.over_log(above * (1 - col("click"))), u.over_log(above))


@measure(
    "clicks",
    "ClickEntropy",
    at="",
    range=(0.0, float("inf")),
    higher_is_better=None,
    undefined=None,
    formula="mean over queries of −Σ_d P(d|q) log₂ P(d|q)",
    source="Dou, Song and Wen, WWW 2007",
)
def ClickEntropy(u: ClickContext) -> Expr:
    """How many documents share the clicks of a query, in bits, as the mean over the queries that have clicks.

    H(q) = −Σ_d P(d|q) log₂ P(d|q), where P(d|q) is the share of the clicks of the query that fell on the document, on
    whichever pages.  Each query counts once.  0 is one document for all, as for queries that look for a site.

    Range: 0 and more.  Undefined without clicks.

    Example:
        >>> import ireval_frames as ir
        >>> log = ir.Impressions(ir.examples.click_log(), by="query_id")
        >>> log.evaluate("ClickEntropy").wide().rows()
        [(1, 1.5), (2, 0.0), (3, None)]
    """
    return u.click_entropy()
