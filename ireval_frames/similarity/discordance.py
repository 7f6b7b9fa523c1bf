"""Counting discordant pairs of items: those that two rankings put in opposite orders.

For every item of a pair of rankings it is the number of items strictly before it in the first ranking and strictly
after it in the second, or the sum of a weight over these.

On Polars this is a merge sort that counts level by level, in O(n log n) and over all pairs of rankings at once: items
are numbered in the first ranking's order; at level b the numbers are cut into blocks of 2^(b+1), and every item of a
block's upper half counts those of its lower half that the second ranking puts after it, which is one running sum by
the second ranking's order within each block.  Two items are in the two halves of one block at exactly one level.

In SQL every item is joined with every item of the same pair of rankings, and counted.
"""

from __future__ import annotations

import polars as pl

from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Plan, Table

COLUMNS = ("pair", "item", "top", "bottom", "other_top", "other_bottom")


class Compared:
    """The items of both rankings, with their positions in both, and counts of each item.

    Args:
        plan: the plan the tables belong to.
        common: the items that both rankings have.
        name: the suffix of the tables' names.
    """

    def __init__(self, plan: Plan, common: Table, name: str = "") -> None:
        self.plan, self.common, self.name = plan, common, name
        self.by_merging = plan.engine.in_process
        self._dtypes: dict[str, type[pl.DataType]] = {}
        self._counting = Counting()
        if self.by_merging:
            self.items = plan.applied(f"compared{name}", COLUMNS, common, self._counting, self._dtypes, by=("pair",))
        else:
            self.items = plan.selected(f"compared{name}", ("pair", "item"), common)

    def discordant(self, weight: Expr | None = None, label: str = "") -> Expr:
        """The number, or sum of weights, of items before this one in the first ranking and after it in the second.

        Args:
            weight: a column of `common`.
            label: names the weight.
        """
        if self.by_merging:
            out = f"discordant{label}"
            self._dtypes[out] = pl.Float64
            self._counting.sums[out] = "" if weight is None else self._common_column(weight)
            return col(out)
        keys = ("pair", "item", "before")
        renamed = {"before": col("item"), "before_top": col("top"), "before_other_top": col("other_top")}
        if weight is not None:
            renamed["before_weight"] = col(self._common_column(weight))
        before = self.plan.selected(
            f"before{self.name}{label}", ("pair", "before"), self.common, **{"pair": col("pair"), **renamed}
        )
        two = self.plan.joined(f"two_items{self.name}{label}", keys, self.common, before, on=("pair",))
        is_discordant = (col("before_top") < col("top")) & (col("before_other_top") > col("other_top"))
        term = lit(1.0) if weight is None else col("before_weight")
        return two.sum(when(is_discordant).then(term).otherwise(0.0), into=self.items, name=f"discordant{label}")

    def _common_column(self, column: Expr) -> str:
        return self.common.column(column).name


class Counting:
    """Counts discordant pairs of items by merging.

    The engine's frames reference it, and Python's garbage collector does not see into them: if it referenced the plan,
    and so these frames, neither would be freed.
    """

    def __init__(self) -> None:
        self.sums: dict[str, str] = {}

    def __call__(self, items: pl.DataFrame) -> pl.DataFrame:
        """The items with the requested sums."""
        return (merged(items, self.sums) if self.sums else items).select(*COLUMNS, *self.sums)


def merged(items: pl.DataFrame, sums: dict[str, str]) -> pl.DataFrame:
    """The items with `sums`: each over the items before in `top` and after in `other_top`, of 1 or of a column.

    Within a pair of rankings items are numbered by `top`, ties by `other_top`, so that no tie counts as discordant;
    ties of `other_top` are then taken last number first, for the same reason.
    """
    number, second = pl.col("_number"), pl.col("other_top")
    numbered = items.sort("pair", "top", "other_top").with_columns(
        pl.int_range(pl.len(), dtype=pl.UInt64).over("pair").alias("_number")
    )
    ordered = numbered.sort("pair", second, number, descending=True)
    levels = int(ordered.select(number.max().fill_null(0)).item()).bit_length()
    # One integer identifies a block: renumbered lists leave bits for the item's number.
    place = pl.col("pair").rle_id().cast(pl.UInt64) * 2**levels + number
    ordered = ordered.with_columns(place.alias("_place"))
    terms: dict[str, list[pl.Expr]] = {name: [] for name in sums}
    for level in range(levels):
        lower = (pl.col("_place") // 2**level) % 2 == 0
        block = pl.col("_place") // 2 ** (level + 1)
        for name, weight in sums.items():
            term = pl.col(weight) if weight else pl.lit(1.0)
            so_far = pl.when(lower).then(term).otherwise(0.0).cum_sum().over(block)
            terms[name].append(pl.when(lower).then(0.0).otherwise(so_far))
    total = {name: pl.sum_horizontal(parts) if parts else pl.lit(0.0) for name, parts in terms.items()}
    return ordered.lazy().with_columns(**total).collect().drop("_number", "_place")
