"""The tables of an evaluation of citations.

```
units       a row per run and query         sentences   a row per sentence of an answer
citations   a row per citation              cited       a row per sentence and passage that it cites
labels      a row per label of support      alone       a row per sentence and passage judged alone
together    a row per sentence judged with all its passages     without   a row per sentence and passage left out
```

There is a table of cited passages for each number of citations of a sentence that count.
"""

from __future__ import annotations

from functools import cached_property

from ireval_frames.citations.inputs import CitationInputs
from ireval_frames.citations.labels import ALONE, TOGETHER, WITHOUT
from ireval_frames.conventions.citations import CitationPolicy
from ireval_frames.expr import Expr, col
from ireval_frames.plan import Plan, Table


class CitationTables:
    """The tables, made from the canonical inputs."""

    def __init__(self, plan: Plan, inputs: CitationInputs, policy: CitationPolicy) -> None:
        self.plan, self.inputs, self.policy, self.keys = plan, inputs, policy, inputs.keys
        plan.unit = self.units

    @cached_property
    def units(self) -> Table:
        """A row per run and query."""
        return self.plan.input("units", self.keys, self.inputs.unit_rows)

    @cached_property
    def sentences(self) -> Table:
        """A row per sentence."""
        return self.plan.input("sentences", (*self.keys, "item_id"), self.inputs.items)

    @cached_property
    def citations(self) -> Table:
        """A row per citation."""
        return self.plan.input("citations", (*self.keys, "item_id", "doc_id", "rank"), self.inputs.citations)

    def cited_rows(self, first: int | None) -> Table:
        """A row per citation that counts.

        Args:
            first: only this many citations of a sentence count; all if None.
        """
        where = None if first is None else col("rank") <= float(first)
        if self.policy.out_of_range == "drop":
            known = ~col("doc_id").is_null()
            where = known if where is None else where & known
        if where is None:
            return self.citations
        name = "counted_citations" if first is None else f"first_{first}_citations"
        return self.plan.selected(name, self.citations.keys, self.citations, where)

    def cited(self, first: int | None) -> Table:
        """A row per sentence and passage that it cites, among the first so many citations."""
        name = "cited" if first is None else f"cited_first_{first}"
        return self.plan.grouped(name, self.cited_rows(first), *self.keys, "item_id", "doc_id")

    @cached_property
    def labels(self) -> Table:
        """A row per label."""
        keys = (*self.keys, "item_id", "doc_id", "passages", "judge")
        return self.plan.input("labels", keys, self.inputs.support)

    def at(self, table: Table, passages: str, value: Expr) -> Expr:
        """A value of the labels about such passages, at the rows of a table; null where there are none.

        Args:
            table: a row per sentence and passage, or per sentence for all passages together.
            passages: what labels are about.
            value: of a label; of several judges the mean.
        """
        keys = (*self.keys, "item_id") if passages == TOGETHER else (*self.keys, "item_id", "doc_id")
        about = self._about(passages)
        if self.policy.judges == "error":
            # Each has one label, which the checks know.
            rows = self.plan.selected(f"labels_{passages}", keys, self.labels, about)
            return table.lookup(rows.column(value), of=rows)
        rows = self.plan.selected(f"labels_{passages}", self.labels.keys, self.labels, about)
        judged = self.plan.grouped(passages, rows, *keys)
        return table.lookup(rows.mean(rows.column(value), into=judged), of=judged)

    def _about(self, passages: str) -> Expr:
        about = (col("passages") == passages) & ~col("level").is_null()
        return about & ~col("doc_id").is_null() if passages in (ALONE, WITHOUT) else about
