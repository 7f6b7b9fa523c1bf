"""Cells of two sides, such as labels and predictions or classes and clusters: what each tells of the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ireval_frames.errors import InvalidParameter
from ireval_frames.expr import Expr, col, when
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
    share: Expr
    first: Expr
    second: Expr

    def mutual_information(self) -> Expr:
        """Σ p_ij·log(p_ij / (a_i·b_j)), in nats; rounding below 0 is 0."""
        here = self.share > 0
        # One division after the other: products of small shares would be no floats.
        odds = self.cells.column(when(here).then(self.share / self.first / self.second).otherwise(1.0), "odds")
        value = self.cells.sum(when(here).then(self.share * odds.log()).otherwise(0.0))
        return when(value > 0).then(value).otherwise(0.0)

    def mean_square(self) -> Expr:
        """Σ (p_ij − a_i·b_j)² / (a_i·b_j) over all cells: χ²/n; those that do not occur add what chance gives them."""
        here, chance = (self.first > 0) & (self.second > 0), self.first * self.second
        apart = self.cells.column(self.share - chance, "apart")
        found = when(here).then(apart / self.first * (apart / self.second)).otherwise(0.0)
        absent = 1.0 - self.cells.sum(when(here).then(chance).otherwise(0.0))
        return self.cells.sum(found) + when(absent > ABSENT).then(absent).otherwise(0.0)


def cross_table(
    cells: Table, keys: Sequence[str], sides: Mapping[str, Expr], count: Expr, normalize: str | None
) -> tuple[Table, dict[str, Expr]]:
    """A row per values of two sides that occur together, and its columns: keys, sides, `count` and, asked for, `share`.

    Args:
        cells: what is counted.
        keys: what tells contingency tables apart.
        sides: both sides of a cell.
        count: how much a cell counts.
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
