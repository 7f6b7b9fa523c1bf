"""Cells of two sides, such as labels and predictions or classes and clusters: the association between the sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ireval_frames.errors import InvalidParameter
from ireval_frames.expr import Expr, col, when
from ireval_frames.plan import Table

# Remainders of shares below this are rounding.
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
    share: Expr
    first: Expr
    second: Expr

    def mutual_information(self) -> Expr:
        """Σ p_ij·log(p_ij / (a_i·b_j)), in nats; rounding below 0 is 0."""
        positive = self.share > 0
        # One division after the other: products of small shares would be no floats.
        odds = self.cells.column(when(positive).then(self.share / self.first / self.second).otherwise(1.0), "odds")
        value = self.cells.sum(when(positive).then(self.share * odds.log()).otherwise(0.0))
        return when(value > 0).then(value).otherwise(0.0)

    def mean_square(self) -> Expr:
        """Σ (p_ij − a_i·b_j)² / (a_i·b_j) over all cells: χ²/n; absent cells add their expected share."""
        positive, chance = (self.first > 0) & (self.second > 0), self.first * self.second
        gap = self.cells.column(self.share - chance, "gap")
        squares = when(positive).then(gap / self.first * (gap / self.second)).otherwise(0.0)
        absent = 1.0 - self.cells.sum(when(positive).then(chance).otherwise(0.0))
        return self.cells.sum(squares) + when(absent > ABSENT).then(absent).otherwise(0.0)


def cross_table(
    cells: Table, keys: Sequence[str], sides: Mapping[str, Expr], count: Expr, normalize: str | None
) -> tuple[Table, dict[str, Expr]]:
    """A row per cell of two sides, and its columns: keys, sides, `count` and, if requested, `share`.

    Args:
        cells: the rows that are counted.
        keys: the columns that identify a contingency table.
        sides: both sides of a cell.
        count: the count of a row.
        normalize: the side whose total the share is of, or "all"; None leaves shares out.

    Raises:
        InvalidParameter: `normalize` names none of these.
    """
    if normalize not in (None, *sides, "all"):
        allowed = ", ".join(repr(s) for s in (*sides, "all"))
        raise InvalidParameter(
            f"normalize is {normalize!r}; allowed: None, {allowed}.", f'Write normalize="{next(iter(sides))}".'
        )
    plan = cells.plan
    shown = plan.selected("contingency_cells", (*keys, *sides), cells, **sides, count=count)
    table = plan.grouped("contingency", shown, *keys, *sides)
    total = shown.sum(col("count"), into=table)
    columns = {**{k: col(k) for k in (*keys, *sides)}, "count": total}
    if normalize is not None:
        of = plan.grouped("contingency_totals", table, *keys, *([] if normalize == "all" else [normalize]))
        columns["share"] = table.column(total / table.lookup(table.sum(total, into=of), of=of))
    return table, columns
