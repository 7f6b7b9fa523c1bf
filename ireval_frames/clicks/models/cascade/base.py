"""What the models have in common in which users go down a list and stop: one set of formulas.

A model says with which probability a user goes on after a result that was not clicked (g), and after a click (s):

| model | g | s |
|---|---|---|
| CM | 1 | 0 |
| DCM | 1 | λ_r |
| SDBN | 1 | 1 − σ |
| DBN | γ | γ (1 − σ) |
| CCM | τ_skip | τ_click (1 − α) + τ_satisfied α |

P(E_1) = 1, and P(click at r) = α_r P(E_r), where of the clicks above
- conditionally P(E_{r+1}) = s_r after a click, else g P(E_r) (1 − α_r) / (1 − α_r P(E_r));
- marginally P(E_{r+1}) = P(E_r) (g (1 − α_r) + α_r s_r).
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ireval_frames.clicks.models.declared import Array, ClickModel, Data, Draws, PageBlock


class Cascade(ClickModel[Data]):
    """A model of users who look at results from the top, one after another."""

    relevant: ClassVar[tuple[str, ...]] = ("attraction", "satisfaction")

    @abstractmethod
    def continues(self, block: PageBlock, position: int) -> tuple[Array | float, Array | float]:
        """The probabilities to go on, g and s, at a position from 0."""

    def conditional(self, block: PageBlock) -> Array:
        """α_r P(E_r | the clicks above)."""
        attraction = block.values["attraction"]
        out, examined = np.empty_like(attraction), np.ones(attraction.shape[1])
        with np.errstate(invalid="ignore", divide="ignore"):
            for r, a in enumerate(attraction):
                out[r] = a * examined
                g, s = self.continues(block, r)
                examined = np.where(block.clicks[r], s, g * examined * (1.0 - a) / (1.0 - out[r]))
        return out

    def marginal(self, block: PageBlock) -> Array:
        """α_r P(E_r)."""
        attraction = block.values["attraction"]
        out, examined = np.empty_like(attraction), np.ones(attraction.shape[1])
        for r, a in enumerate(attraction):
            out[r] = a * examined
            g, s = self.continues(block, r)
            # What is never clicked needs no s, which may be unknown then.
            examined = examined * (g * (1.0 - a) + np.where(a > 0.0, a * s, a))
        return out

    def simulate(self, block: PageBlock, draw: Draws) -> NDArray[np.bool_]:
        """Users who are attracted, and go on or not."""
        attraction = block.values["attraction"]
        out, examines = np.zeros(attraction.shape, dtype=np.bool_), np.ones(attraction.shape[1], dtype=np.bool_)
        for r, a in enumerate(attraction):
            out[r] = examines & block.shown[r] & (draw(0, r) < a)
            g, s = self.continues(block, r)
            examines &= draw(1, r) < np.where(out[r], s, g)
        return out
