"""A list and the best order side by side, with the gain of both down to each rank.

```
best_n     a row per list and judgment that gains, with its rank in the best order
merged_n   the list's rows stacked with these
steps_n    a row per rank where the list or the best order may gain
```

These tables are about as long as the judgments, so measures that compare the gain so far with the best possible one do
not need unjudged rows.
"""

from __future__ import annotations

from collections.abc import Callable

from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ranking.context import Query
from ireval_frames.ratios import indicator


class SideBySide:
    """The steps, with a row per rank at which the list or the best order gains.

    Args:
        q: the context.
        gain: the gain of a retrieved document.
        ideal: the gain of a judgment in the best order, which has only positive gains.
    """

    def __init__(self, q: Query, gain: Expr, ideal: Expr) -> None:
        self.q, tables, plan = q, q.tables, q.tables.plan
        self.keys = tables.units.keys
        queries = tables.judged_queries.keys
        best_gain, best_rank = q.ideal_order(ideal)
        list_gain, rank = q.rows.column(gain, "gain"), q.rank
        number = f"{q.rows.name}_{list_gain.name}_{best_gain.name}"
        last = tables.qrels.over(best_gain.shift(-1), queries, [best_rank.name], "next_ideal_gain")
        # The last document of a grade in the best order: below it the gain per document falls.
        falls = indicator(last.is_null() | (last != best_gain))
        columns = {
            "step": best_rank,
            "best_gain": best_gain,
            "last_of_its_gain": tables.qrels.column(falls, "last_of_its_gain"),
        }
        best = plan.selected(f"gaining_{number}", queries, tables.qrels, where=best_gain > 0, **columns)
        lists = plan.joined(f"best_{number}", (*self.keys, "step"), tables.lists, best, on=("query_id",))
        zero = lit(0.0)
        keys = {k: col(k) for k in self.keys}
        self.merged = plan.concat(
            f"merged_{number}",
            (*self.keys, "step"),
            (q.rows, {**keys, "step": rank, "gain": list_gain, "best_gain": zero, "last_of_its_gain": zero}),
            (
                lists,
                {
                    **keys,
                    "step": col("step"),
                    "gain": zero,
                    "best_gain": col("best_gain"),
                    "last_of_its_gain": col("last_of_its_gain"),
                },
            ),
        )
        self.steps: Table = plan.grouped(f"steps_{number}", self.merged, *self.keys, "step")
        self._falls = falls
        self._qrels_gain = best_gain

    @property
    def rank(self) -> Expr:
        """The rank of the step."""
        return col("step")

    @property
    def gain(self) -> Expr:
        """The gain of the list's document at this rank."""
        return self._at("gain")

    @property
    def best_gain(self) -> Expr:
        """The gain of the best order's document at this rank."""
        return self._at("best_gain")

    @property
    def last_of_its_gain(self) -> Expr:
        """1 where the next document of the best order gains less."""
        return self._at("last_of_its_gain")

    def so_far(self, row: Expr) -> Expr:
        """The running sum of a column of the steps, this rank included."""
        return self.steps.over(self.steps.column(row).cum_sum(), self.keys, ["step"], "so_far")

    def sum(self, row: Expr) -> Expr:
        """The sum over the steps, per query."""
        return self.steps.sum(row, order="step")

    def num_falls(self) -> Expr:
        """The number of different positive gains of the query's judgments."""
        tables = self.q.tables
        falls = when(self._qrels_gain > 0).then(self._falls).otherwise(0.0)
        return tables.units.lookup(tables.sum_by_query(falls, name="num_gains"), of=tables.queries)

    def _at(self, column: str) -> Expr:
        return self.merged.sum(col(column), into=self.steps, name=column)


def over(discount: Callable[[Expr], Expr], side: SideBySide) -> tuple[Expr, Expr]:
    """The discounted gain of the list and of the best order down to each step."""
    divisor = side.steps.column(discount(side.rank), "step_discount")
    return side.so_far(side.gain / divisor), side.so_far(side.best_gain / divisor)
