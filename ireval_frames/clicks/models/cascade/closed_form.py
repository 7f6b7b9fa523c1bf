"""Cascade models whose estimates are ratios of counts: CM, DCM and SDBN."""

from __future__ import annotations

from typing import ClassVar

from ireval_frames.clicks.models.cascade.base import Cascade
from ireval_frames.clicks.models.counts.tallies import Tallies
from ireval_frames.clicks.models.declared import (
    PAIR,
    Array,
    Estimates,
    PageBlock,
    Parameter,
    Trace,
    Until,
    Values,
    declare,
)
from ireval_frames.clicks.models.estimation.shares import estimate
from ireval_frames.clicks.models.options import Options


@declare
class CM(Cascade[Tallies]):
    """Users look at one result after another until the first that attracts them, which they click, and stop.

    α_qd = first clicks / impressions at or above the first click.  Clicks after the first are outside of the model.
    """

    name: ClassVar[str] = "CM"
    source: ClassVar[str] = "Craswell et al., WSDM 2008"
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("attraction", PAIR, "a click, given examination"),)
    relevant: ClassVar[tuple[str, ...]] = ("attraction",)
    looks_until: ClassVar[Until] = "first"

    def fit(self, data: Tallies, options: Options, start: Values | None) -> tuple[Estimates, Trace]:
        """One ratio of counts."""
        del start
        return {"attraction": estimate(data.hits, data.n, options)}, Trace()

    def continues(self, block: PageBlock, position: int) -> tuple[Array | float, Array | float]:
        """Always, and never."""
        del block, position
        return 1.0, 0.0


@declare
class DCM(Cascade[Tallies]):
    """Users go on after a click with a probability λ_r of its position, and always after a result they do not click.

    α_qd = clicks / impressions at or above the last click; λ_r = clicks at r that are not the last / clicks at r.
    They maximise a lower bound of the likelihood: after the last click users are taken to have stopped.
    """

    name: ClassVar[str] = "DCM"
    source: ClassVar[str] = "Guo, Liu & Wang, WSDM 2009"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("attraction", PAIR, "a click, given examination"),
        Parameter("continuation", ("position",), "going on after a click at the position"),
    )
    of_bound = True
    relevant: ClassVar[tuple[str, ...]] = ("attraction",)
    looks_until: ClassVar[Until] = "last"

    def fit(self, data: Tallies, options: Options, start: Values | None) -> tuple[Estimates, Trace]:
        """Two ratios of counts."""
        del start
        return {
            "attraction": estimate(data.hits, data.n, options),
            "continuation": estimate(data.more, data.clicks, options),
        }, Trace()

    def continues(self, block: PageBlock, position: int) -> tuple[Array | float, Array | float]:
        """Always, and with λ_r."""
        return 1.0, block.values["continuation"][position]


@declare
class SDBN(Cascade[Tallies]):
    """Users look on until a clicked document satisfies them: the dynamic Bayesian network whose users never tire.

    α_qd = clicks / impressions at or above the last click; σ_qd = last clicks / clicks.  Relevance is α σ.
    They maximise a lower bound of the likelihood: at the last click users are taken to be satisfied.
    """

    name: ClassVar[str] = "SDBN"
    of_bound = True
    source: ClassVar[str] = "Chapelle & Zhang, WWW 2009"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("attraction", PAIR, "a click, given examination"),
        Parameter("satisfaction", PAIR, "satisfaction, given a click"),
    )
    looks_until: ClassVar[Until] = "last"

    def fit(self, data: Tallies, options: Options, start: Values | None) -> tuple[Estimates, Trace]:
        """Two ratios of counts."""
        del start
        return {
            "attraction": estimate(data.hits, data.n, options),
            "satisfaction": estimate(data.ends, data.hits, options),
        }, Trace()

    def continues(self, block: PageBlock, position: int) -> tuple[Array | float, Array | float]:
        """Always, and with 1 − σ."""
        return 1.0, 1.0 - block.values["satisfaction"][position]
