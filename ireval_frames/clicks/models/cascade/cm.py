"""CM: the cascade model."""

from __future__ import annotations

from typing import ClassVar

from ireval_frames.clicks.models.cascade.base import Cascade
from ireval_frames.clicks.models.counts.tallied import Tallies
from ireval_frames.clicks.models.declared import PAIR, Array, Estimates, Parameter, Seen, Trace, Until, Values, declare
from ireval_frames.clicks.models.estimation.shares import estimate
from ireval_frames.clicks.models.options import Options


@declare
class CM(Cascade[Tallies]):
    """Users look at one result after another until the first that attracts them, which they click, and stop.

    α_qd = first clicks / impressions at or above the first click.  Clicks after the first are outside of the model.
    """

    name: ClassVar[str] = "CM"
    source: ClassVar[str] = "Craswell et al., WSDM 2008"
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("attraction", PAIR, "a click, once it is looked at"),)
    relevant: ClassVar[tuple[str, ...]] = ("attraction",)
    looks_until: ClassVar[Until] = "first"

    def fitted(self, data: Tallies, options: Options, start: Values | None) -> tuple[Estimates, Trace]:
        """One ratio of counts."""
        del start
        return {"attraction": estimate(data.hits, data.n, options)}, Trace()

    def goes_on(self, seen: Seen, position: int) -> tuple[Array | float, Array | float]:
        """Always, and never."""
        del seen, position
        return 1.0, 0.0
