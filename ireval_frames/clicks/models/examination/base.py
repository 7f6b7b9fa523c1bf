"""What PBM and UBM have in common: clicks are products of attraction and examination, and only these are known."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from ireval_frames.clicks.models.declared import Data, Mask
from ireval_frames.clicks.models.estimation.iteration import Iterated, Step
from ireval_frames.clicks.models.examination import linked
from ireval_frames.clicks.models.examination.expectation_maximisation import Examined, stepped


class Products(Iterated[Data]):
    """A model in which a click needs attraction and examination, each on its own."""

    apart: ClassVar[bool] = True

    @abstractmethod
    def examined(self, data: Data) -> Examined:
        """The counts, and where their examination stands."""

    def stepped(self, data: Data) -> tuple[Step, dict[str, tuple[int, ...]]]:
        """The E-step over counts by pair and place."""
        return stepped(self.examined(data))

    def unlinked(self, data: Data) -> dict[str, Mask]:
        """What no document links to most others."""
        return linked.unlinked(self.examined(data))

    def scale(self, data: Data) -> dict[str, Mask]:
        """The examination of a place of each component."""
        return linked.scale(self.examined(data))
