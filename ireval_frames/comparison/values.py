"""Values per unit, system and measure, from whatever holds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import polars as pl


@dataclass(frozen=True, eq=False)
class Values:
    """Values of measures, a row per group, measure, system and unit.

    Attributes:
        frame: by …, measure, the system, unit …, value.
        system: the column that tells systems apart; none where there is one system.
        unit, by: the columns that tell units and groups apart.
        falling: the measures of which less is better.
    """

    frame: pl.DataFrame
    system: str | None
    unit: tuple[str, ...]
    by: tuple[str, ...]
    falling: tuple[str, ...]


@runtime_checkable
class OfUnits(Protocol):
    """What has values per unit: an evaluation."""

    def values_of_units(self) -> Values:
        """The values."""
