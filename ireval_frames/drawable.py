"""Results that can be drawn."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import polars as pl

if TYPE_CHECKING:
    import altair as alt

# Pictures stand below what they draw, so they are asked for by their name.
_PICTURES = f"{__package__}.plots.natural"


class Drawable:
    """What has a picture."""

    def plot(self, *given: Any, **options: Any) -> alt.Chart:
        """The picture that is natural for it; `ir.plots` has all others.

        Args:
            given: what that picture is handed besides.
            options: those of that picture, and `theme`, `width`, `height`, `title`.

        Raises:
            NotDefined: it has none.
            EngineError: Altair is not installed.
        """
        drawn: alt.Chart = import_module(_PICTURES).natural(self, *given, **options)
        return drawn


@dataclass(frozen=True, eq=False)
class Estimates:
    """Values with intervals of their own, which are no means over units.

    Attributes:
        frame: system, [the groups], measure, value, low, high, n; with a column `baseline` values are differences.
        groups: the columns of groups.
        unit: what n counts: "page".
        bar: what an interval is.
    """

    frame: pl.DataFrame
    groups: tuple[str, ...]
    unit: str
    bar: str


class Estimating(Drawable):
    """What gives such values."""

    @abstractmethod
    def estimated(self) -> Estimates:
        """The values, as pictures and reports show them."""

    @abstractmethod
    def summary(self) -> pl.DataFrame:
        """The table that they are taken from."""

    @abstractmethod
    def explain(self) -> str:
        """How they were made."""
