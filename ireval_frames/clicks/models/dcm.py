"""DCM: the dependent click model."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ireval_frames.clicks.models.blocks import summed
from ireval_frames.clicks.models.cascade import Cascade, attraction_counts, examined_until
from ireval_frames.clicks.models.declared import PAIR, Array, Estimates, Parameter, Seen, Trace, Values, declare
from ireval_frames.clicks.models.options import Options
from ireval_frames.clicks.models.pages import Pages
from ireval_frames.clicks.models.shares import estimate


@declare
class DCM(Cascade):
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
    relevant: ClassVar[tuple[str, ...]] = ("attraction",)

    def fitted(self, data: Pages, options: Options, start: Values | None) -> tuple[Estimates, Trace]:
        """Two ratios of counts."""
        del start
        shape = (data.keys.n_groups, data.longest)
        n, hits = np.zeros(shape), np.zeros(shape)
        for j, clicked in enumerate(data.clicks):
            n[:, j] = summed(data.group, np.where(clicked, data.weight, 0.0), shape[0])
            hits[:, j] = summed(data.group, np.where(clicked & (data.last > j + 1), data.weight, 0.0), shape[0])
        attraction = estimate(*attraction_counts(data, examined_until(data)), options)
        return {"attraction": attraction, "continuation": estimate(hits, n, options)}, Trace()

    def goes_on(self, seen: Seen, position: int) -> tuple[Array | float, Array | float]:
        """Always, and with λ_r."""
        return 1.0, seen.values["continuation"][position]
