"""Results that can be drawn."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.lazy import hook

if TYPE_CHECKING:
    import altair as alt


class Drawable:
    """What has a picture."""

    @property
    @abstractmethod
    def _picture(self) -> str:
        """The default picture, by a name of `plots.natural.PICTURES`."""

    def plot(self, *args: Any, **options: Any) -> alt.Chart:
        """The default picture; `ir.plots` has all others.

        Args:
            args: further arguments of the picture.
            options: the picture's options, and `theme`, `width`, `height`, `title`.

        Raises:
            NotDefined: it has none.
            EngineError: Altair is not installed.
        """
        chart: alt.Chart = hook("picture")(self._picture, self, *args, **options)
        return chart


@dataclass(frozen=True, eq=False)
class Estimates:
    """Values with intervals of their own, which are no means over units.

    Attributes:
        frame: system, [the groups], measure, value, low, high, n; with a column `baseline` values are differences.
        groups: the columns of groups.
        unit: what n counts: "page".
        bar: what an interval is.
        lower_is_better: the measures of which less is better.
    """

    frame: pl.DataFrame
    groups: tuple[str, ...]
    unit: str
    bar: str
    lower_is_better: tuple[str, ...] = ()


class Estimating(Drawable):
    """What gives such values."""

    @property
    def _picture(self) -> str:
        return "effects" if "baseline" in self._estimates().frame.columns else "systems"

    @abstractmethod
    def _estimates(self) -> Estimates:
        """The values, as pictures and reports show them."""

    @abstractmethod
    def summary(self) -> pl.DataFrame:
        """The table of the values."""

    @abstractmethod
    def explain(self) -> str:
        """How they were computed."""


def estimates_of(result: Estimating) -> Estimates:
    """The values and intervals of a result, as pictures and reports show them."""
    return result._estimates()  # noqa: SLF001 - users need no more than `summary`
