"""Click-through rates freed of positions: clicks against what positions let expect."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.clicks.context import ClickContext
from ireval_frames.clicks.measures.parameters import by_position
from ireval_frames.expr import Expr, when
from ireval_frames.parameters import UPWARDS, choice, number
from ireval_frames.ratios import ratio


@measure(
    "clicks",
    "COEC",
    at="",
    parameters={
        "shrinkage": number(0.0, "clicks, expected and had, that are added to both", low=0.0),
        "rates": by_position("the click-through rate of each position, instead of the log's"),
    },
    aliases=("ClicksOverExpectedClicks",),
    range=UPWARDS,
    undefined=None,
    formula="(clicks + m) / (Σ ctr(position) + m)",
    source="Zhang and Jones, WWW 2007",
)
def COEC(u: ClickContext, shrinkage: float, rates: tuple[float, ...] | None) -> Expr:
    """Clicks over expected clicks: how often results were clicked, against the average result at their positions.

    COEC = (clicks + m) / (Σ ctr(position) + m), where the sum is over the shown results of the unit, and ctr(r) is the
    click-through rate of position r over all units and groups of the log (of the run, where there are several).  So the
    whole log has COEC 1, and parts of it (`by=`, `unit=`) more or less.  m shrinks towards 1, as a gamma prior does.
    With `rates=` from another log, sums of several days are those of one; positions beyond them are an error.

    Range: 0 and more, 1 is average.  Undefined where no click is expected and m is 0.

    Example:
        >>> import ireval_frames as ir
        >>> log = ir.Impressions(ir.examples.click_log(), by="query_id")
        >>> [(query, round(value, 4)) for query, value in log.evaluate("COEC").wide().rows() if value is not None]
        [(1, 1.2698), (2, 0.5405)]
    """
    rate = u.rate_there if rates is None else u.at_positions(rates)
    return u.ratio(u.over_places(u.clicked_there) + shrinkage, u.over_places(u.shown_there * rate) + shrinkage)


@measure(
    "clicks",
    "DebiasedCTR",
    at="",
    parameters={
        "examination": by_position("the chance that each position is examined, such as a click model's"),
        "estimator": choice("ratio", "inverse", what="clicks over examinations, or the mean of clicks so weighted"),
    },
    aliases=("PBMCTR",),
    range=UPWARDS,
    undefined=None,
    formula="clicks / Σ γ(position), or Σ click/γ(position) / results shown",
    source="Craswell, Zoeter, Taylor and Ramsey, WSDM 2008; Joachims, Swaminathan and Schnabel, WSDM 2017",
)
def DebiasedCTR(u: ClickContext, examination: tuple[float, ...] | None, estimator: str) -> Expr:
    """The click-through rate that results would have if all positions were examined, as a position-based model has it.

    γ(r) is the chance that position r is examined.  By default it is the rate of the position over that of the first,
    ctr(r) / ctr(1) over all units of the log (of the run), which holds where results stand at positions by chance;
    otherwise give that of a click model, `examination=(1, 0.6, …)`; positions beyond it are an error.  The ratio
    Σ c / Σ γ is the attraction that the model gives results which are alike; `estimator="inverse"` is the mean of
    c / γ, without bias for any mix of results, and noisier.

    Range: 0 and more: noise may lead beyond 1.  Undefined where nothing was shown, or where the first position has no
    clicks and no examination is given.

    Example:
        >>> import ireval_frames as ir
        >>> log = ir.Impressions(ir.examples.click_log())
        >>> log.evaluate("DebiasedCTR(examination=(1, 0.6, 0.5)) DebiasedCTR").summary()["value"].round(4).to_list()
        [0.5, 0.6]
    """
    known = examination is not None
    gamma = ratio(u.rate_there, u.first_rate_there) if examination is None else u.at_positions(examination)
    if estimator == "ratio":
        return u.ratio(u.over_places(u.clicked_there), u.over_places(u.shown_there * gamma))
    # Where nothing was ever clicked no click is weighted.
    weighted = u.over_places(ratio(u.clicked_there, gamma))
    mean = u.ratio(weighted, u.over_places(u.shown_there))
    return mean if known else when(u.first_rate > 0).then(mean).otherwise(u.undefined)
