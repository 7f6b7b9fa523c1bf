"""Click-through rates: clicks over what was shown."""

from __future__ import annotations

import narwhals.stable.v2 as nw

from ireval_frames.catalog import measure
from ireval_frames.clicks.context import ClickContext
from ireval_frames.parameters import UPWARDS, number, whole

CUTOFF = whole(None, "only the first k positions count")


@measure(
    "clicks",
    "CTR",
    parameters={"cutoff": CUTOFF},
    aliases=("ClickThroughRate",),
    undefined=None,
    formula="clicks / results shown",
    source="Joachims, Granka, Pan, Hembrooke and Gay, 2005",
)
def CTR(u: ClickContext, cutoff: int | None) -> nw.Expr:
    """The share of the shown results that were clicked: the click-through rate of a result.

    CTR@k = clicks on the first k positions / results shown there.  CTR@1 is that of the first position; `log.rates`
    has the rates of every position, query or document.

    Range: 0 to 1.  Undefined where nothing was shown.

    Example:
        >>> import ireval_frames as ir
        >>> log = ir.Impressions(ir.examples.click_log())
        >>> log.evaluate("CTR CTR@1").summary()["value"].round(4).to_list()
        [0.3571, 0.6]
    """
    return u.ratio(u.over_places(u.clicked_there, cutoff), u.over_places(u.shown_there, cutoff))


@measure(
    "clicks",
    "COEC",
    at="",
    parameters={"shrinkage": number(0.0, "clicks, expected and had, that are added to both", low=0.0)},
    aliases=("ClicksOverExpectedClicks",),
    range=UPWARDS,
    undefined=None,
    formula="(clicks + m) / (Σ ctr(position) + m)",
    source="Zhang and Jones, WWW 2007",
)
def COEC(u: ClickContext, shrinkage: float) -> nw.Expr:
    """Clicks over expected clicks: how often results were clicked, against the average result at their positions.

    COEC = (clicks + m) / (Σ ctr(position) + m), where the sum is over the shown results of the unit, and ctr(r) is the
    click-through rate of position r over all units and groups of the log (of the run, where there are several).  So the
    whole log has COEC 1, and parts of it (`by=`, `unit=`) more or less.  m shrinks towards 1, as a gamma prior does.

    Range: 0 and more, 1 is average.  Undefined where no click is expected and m is 0.

    Example:
        >>> import ireval_frames as ir
        >>> log = ir.Impressions(ir.examples.click_log(), by="query_id")
        >>> [(query, round(value, 4)) for query, value in log.evaluate("COEC").wide().rows() if value is not None]
        [(1, 1.2698), (2, 0.5405)]
    """
    expected = u.over_places(u.shown_there * u.rate_there)
    return u.ratio(u.over_places(u.clicked_there) + shrinkage, expected + shrinkage)
