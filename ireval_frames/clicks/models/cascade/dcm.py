"""DCM: the dependent click model."""

from __future__ import annotations

from typing import ClassVar

from ireval_frames.clicks.models.cascade.base import Cascade
from ireval_frames.clicks.models.counts.tallied import Tallies
from ireval_frames.clicks.models.declared import PAIR, Array, Estimates, Parameter, Seen, Trace, Until, Values, declare
from ireval_frames.clicks.models.estimation.shares import estimate
from ireval_frames.clicks.models.options import Options


@declare
class DCM(Cascade[Tallies]):
    """Users go on after a click with a probability λ_r of its position, and always after a result they do not click.

    α_qd = clicks / impressions at or above the last click; λ_r = clicks at r that are not the last / clicks at r.
    They maximise a lower bound of the likelihood: after the last click users are taken to have stopped.
    """

    name: ClassVar[str] = "DCM"
    source: ClassVar[str] = "Guo, Liu & Wang, WSDM 2009"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("attraction", PAIR, "a click, once it is looked at"),
        Parameter("continuation", ("position",), "going on after a click at the position"),
    )
    of_bound = True
    relevant: ClassVar[tuple[str, ...]] = ("attraction",)
    looks_until: ClassVar[Until] = "last"

    def fitted(self, data: Tallies, options: Options, start: Values | None) -> tuple[Estimates, Trace]:
        """Two ratios of counts."""
        del start
        return {
            "attraction": estimate(data.hits, data.n, options),
            "continuation": estimate(data.more, data.clicks, options),
        }, Trace()

    def goes_on(self, seen: Seen, position: int) -> tuple[Array | float, Array | float]:
        """Always, and with λ_r."""
        return 1.0, seen.values["continuation"][position]
