"""The tables of a comparison of rankings.

```
pairs    a row per pair of lists                                common    a row per item that both lists have
results  the same, with the measures                            compared  the same, with what is counted of each item
depths   a row per pair of lists and depth of the longer one
```
"""

from __future__ import annotations

from functools import cached_property

from ireval_frames.expr import Expr, col, max_horizontal
from ireval_frames.plan import Plan, Table
from ireval_frames.similarity.agreement import Agreement
from ireval_frames.similarity.discordance import Compared
from ireval_frames.similarity.lists import ComparisonOptions, settled


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
        # Pairs are kept for parts of them; what is made of them is not.
        self.results = plan.once(plan.selected("results", ("pair",), pairs))
        self._compared: dict[int | None, Compared] = {}

    @cached_property
    def common(self) -> Table:
        """The items of both lists, with their places in both."""
        plan = self.plan
        there = plan.selected("two_lists", ("pair",), self.pairs, where=~col("pair").is_null())
        left = settled(plan, plan.joined("first_entries", ("pair", "item"), there, self.entries, on=("list",)))
        names = {f"other_{c}": col(c) for c in ("list", "top", "bottom")}
        right = plan.selected("other_entries", ("other_list", "item"), self.entries, **names)
        both = plan.joined("in_both", ("pair", "item"), left, right, on=("other_list", "item"))
        top, other = col("top"), col("other_top")
        columns = {c: col(c) for c in ("top", "bottom", "other_top", "other_bottom", "size", "other_size")}
        common = plan.selected("common", ("pair", "item"), both, depth=max_horizontal(top, other), **columns)
        return plan.once(common, kept=True)

    def compared(self, cutoff: int | None) -> Compared:
        """The common items, of the first `cutoff` of both lists, with what is counted of them."""
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
    def both_there(self) -> Expr:
        """Whether both lists exist."""
        return ~col("pair").is_null()
