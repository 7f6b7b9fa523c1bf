"""Cells of two sides, such as labels and predictions or classes and clusters: what each tells of the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.errors import InvalidParameter
from ireval_frames.plan import Table

# Shares below this that are left of 1 are rounding.
ABSENT = 1e-14


@dataclass(frozen=True)
class Contingency:
    """The cells that occur.

    Attributes:
        cells: a row per cell.
        share: at the cells, their share of the unit; p_ij.
        first, second: at the cells, the shares of all cells of their first and of their second side; a_i and b_j.
    """

    cells: Table
    share: nw.Expr
    first: nw.Expr
    second: nw.Expr

    def mutual_information(self) -> nw.Expr:
        """Σ p_ij·log(p_ij / (a_i·b_j)), in nats; rounding below 0 is 0."""
        here = self.share > 0
        # One division after the other: products of small shares would be no floats.
        odds = self.cells.column(nw.when(here).then(self.share / self.first / self.second).otherwise(1.0), "odds")
        value = self.cells.sum(nw.when(here).then(self.share * odds.log()).otherwise(0.0))
        return nw.when(value > 0).then(value).otherwise(0.0)

    def mean_square(self) -> nw.Expr:
        """Σ (p_ij − a_i·b_j)² / (a_i·b_j) over all cells: χ²/n; those that do not occur add what chance gives them."""
        here, chance = (self.first > 0) & (self.second > 0), self.first * self.second
        apart = self.cells.column(self.share - chance, "apart")
        found = nw.when(here).then(apart / self.first * (apart / self.second)).otherwise(0.0)
        absent = 1.0 - self.cells.sum(nw.when(here).then(chance).otherwise(0.0))
        return self.cells.sum(found) + nw.when(absent > ABSENT).then(absent).otherwise(0.0)


def shares(cells: pl.DataFrame, keys: Sequence[str], normalize: str | None, sides: tuple[str, str]) -> pl.DataFrame:
    """The cells with the `share` of each `count` among those of its side, or of "all", within `keys`; None gives none.

    Raises:
        InvalidParameter: `normalize` names none of these.
    """
    if normalize not in (None, *sides, "all"):
        allowed = ", ".join(repr(s) for s in (*sides, "all"))
        raise InvalidParameter(
            f"normalize is {normalize!r}; allowed: None, {allowed}.", f'Write normalize="{sides[0]}".'
        )
    if normalize is None:
        return cells
    over = [*keys] + ([] if normalize == "all" else [normalize])
    total = pl.col("count").sum().over(over) if over else pl.col("count").sum()
    return cells.with_columns(share=pl.col("count") / total)
