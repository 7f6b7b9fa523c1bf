"""The tables of a comparison of rankings.

```
pairs    a row per pair of lists                                common    a row per item that both lists have
results  the same, with the measures                            compared  the same, with counts of each item
depths   a row per pair of lists and depth of the longer one
```
"""

from __future__ import annotations

from functools import cached_property

from ireval_frames.expr import Expr, col, max_horizontal
from ireval_frames.plan import Plan, Table
from ireval_frames.similarity.agreement import Agreement
from ireval_frames.similarity.discordance import Compared
from ireval_frames.similarity.lists import ComparisonOptions, materialized


class SimilarityTables:
    """The tables, made from entries and pairs of lists.

    Args:
        plan: the plan they belong to.
        entries: list, item, size, place, top, bottom.
        pairs: pair, list, other_list, size, other_size beside the keys of the units.
        options: which rankings to compare, and how.
    """

    def __init__(self, plan: Plan, entries: Table, pairs: Table, options: ComparisonOptions) -> None:
        self.plan, self.entries, self.pairs, self.options = plan, entries, pairs, options
        # Pairs are stored for the parts of a comparison; results are not.
        self.results = plan.compute_once(plan.selected("results", ("pair",), pairs))
        self._compared: dict[int | None, Compared] = {}

    @cached_property
    def common(self) -> Table:
        """The items of both lists, with their positions in both."""
        plan = self.plan
        two_lists = plan.selected("two_lists", ("pair",), self.pairs, where=~col("pair").is_null())
        first_entries = materialized(
            plan, plan.joined("first_entries", ("pair", "item"), two_lists, self.entries, on=("list",))
        )
        names = {f"other_{c}": col(c) for c in ("list", "top", "bottom")}
        other_entries = plan.selected("other_entries", ("other_list", "item"), self.entries, **names)
        both = plan.joined("in_both", ("pair", "item"), first_entries, other_entries, on=("other_list", "item"))
        top, other = col("top"), col("other_top")
        columns = {c: col(c) for c in ("top", "bottom", "other_top", "other_bottom", "size", "other_size")}
        common = plan.selected("common", ("pair", "item"), both, depth=max_horizontal(top, other), **columns)
        return plan.compute_once(common, cached=True)

    def compared(self, cutoff: int | None) -> Compared:
        """The common items, of the top `cutoff` of both lists, with their counts."""
        if cutoff not in self._compared:
            name = "" if cutoff is None else f"_{cutoff}"
            items = self.common
            if cutoff is not None:
                items = self.plan.selected(f"common{name}", ("pair", "item"), items, where=col("depth") <= cutoff)
            self._compared[cutoff] = Compared(self.plan, items, name)
        return self._compared[cutoff]

    @cached_property
    def agreement(self) -> Agreement:
        """The lists' agreement at every depth."""
        return Agreement(self.plan, self.entries, self.pairs, self.common)

    @property
    def both_exist(self) -> Expr:
        """Whether both lists exist."""
        return ~col("pair").is_null()
