"""SDBN: the simplified dynamic Bayesian network."""

from __future__ import annotations

from typing import ClassVar

from ireval_frames.clicks.models.cascade.base import Cascade
from ireval_frames.clicks.models.counts.tallied import Tallies
from ireval_frames.clicks.models.declared import PAIR, Array, Estimates, Parameter, Seen, Trace, Until, Values, declare
from ireval_frames.clicks.models.estimation.shares import estimate
from ireval_frames.clicks.models.options import Options


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
        Parameter("attraction", PAIR, "a click, once it is looked at"),
        Parameter("satisfaction", PAIR, "stopping there, once it is clicked"),
    )
    looks_until: ClassVar[Until] = "last"

    def fitted(self, data: Tallies, options: Options, start: Values | None) -> tuple[Estimates, Trace]:
        """Two ratios of counts."""
        del start
        return {
            "attraction": estimate(data.hits, data.n, options),
            "satisfaction": estimate(data.ends, data.hits, options),
        }, Trace()

    def goes_on(self, seen: Seen, position: int) -> tuple[Array | float, Array | float]:
        """Always, and with 1 − σ."""
        return 1.0, 1.0 - seen.values["satisfaction"][position]
