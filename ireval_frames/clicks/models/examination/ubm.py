"""UBM: the user browsing model."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ireval_frames.clicks.models.counts.pages import Pages, last_clicks
from ireval_frames.clicks.models.declared import PAIR, Array, Draws, Parameter, Seen, declare
from ireval_frames.clicks.models.examination.base import Products
from ireval_frames.clicks.models.examination.expectation_maximisation import Examined


@declare
class UBM(Products[Pages]):
    """Whether a position is looked at depends on it and on the last click above it: α_qd γ_{r,r'}.

    r' is the position of the last click above r, 0 where there is none.
    """

    name: ClassVar[str] = "UBM"
    source: ClassVar[str] = "Dupret & Piwowarski, SIGIR 2008"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("attraction", PAIR, "a click, once it is looked at"),
        Parameter("examination", ("position", "last_click"), "looking at the position after that click"),
    )

    def examined(self, data: Pages) -> Examined:
        """The counts by pair, position and last click."""
        shape = (data.keys.n_groups, data.longest, data.longest)
        code, n, clicks = data.by_last_click
        pair, place = np.divmod(code, int(np.prod(shape)))
        return Examined(pair, place, n, clicks, data.keys.of_pair, shape)

    def conditional(self, seen: Seen) -> Array:
        """α γ at the last click above."""
        attraction, examination = seen.values["attraction"], seen.values["examination"]
        out = np.empty_like(attraction)
        for r, last in enumerate(last_clicks(seen.clicks)):
            here = examination[r]
            gamma = here[:, 0].take(last) if here.shape[1] == 1 else np.take_along_axis(here, last[None, :], 0)[0]
            out[r] = attraction[r] * gamma
        return out

    def marginal(self, seen: Seen) -> Array:
        """The sum over the last click above: T_j is the probability that it is at j, and that none followed so far."""
        attraction, examination = seen.values["attraction"], seen.values["examination"]
        out = np.empty_like(attraction)
        open_since = [np.ones(attraction.shape[1])]
        for r, a in enumerate(attraction):
            clicks = [t * a * examination[r, j] for j, t in enumerate(open_since)]
            out[r] = np.sum(clicks, axis=0)
            open_since = [t - c for t, c in zip(open_since, clicks, strict=True)]
            open_since.append(out[r])
        return out

    def simulated(self, seen: Seen, draw: Draws) -> NDArray[np.bool_]:
        """From the top, each by the last click drawn above."""
        attraction, examination = seen.values["attraction"], seen.values["examination"]
        out, last = np.zeros(attraction.shape, dtype=np.bool_), np.zeros(attraction.shape[1], dtype=np.int64)
        for r, a in enumerate(attraction):
            here = examination[r]
            gamma = here[:, 0].take(last) if here.shape[1] == 1 else np.take_along_axis(here, last[None, :], 0)[0]
            out[r] = seen.shown[r] & (draw(0, r) < a * gamma)
            last[out[r]] = r + 1
        return out
