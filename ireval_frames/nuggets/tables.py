"""The tables of an evaluation of nuggets.

```
documents   a row per query: the unit                answers    a row per answer, with its length
gold        a row per nugget                         predicted  a row per label of a nugget for an answer
assigned    a row per nugget and answer, where several judges label them
```
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ireval_frames.documents.tables import DocumentTables
from ireval_frames.expr import Expr, col
from ireval_frames.nuggets.inputs import NuggetInputs
from ireval_frames.plan import Table

if TYPE_CHECKING:
    from ireval_frames.conventions.nuggets import NuggetPolicy


class NuggetTables(DocumentTables):
    """The tables, made from the canonical inputs."""

    inputs: NuggetInputs
    policy: NuggetPolicy

    @property
    def nugget_keys(self) -> tuple[str, ...]:
        """What identifies a nugget of an answer."""
        return (*self.keys, "nugget_id")

    @property
    def several_judges(self) -> bool:
        """Whether judges have names."""
        return "judge" in self.inputs.columns["predicted"]

    @cached_property
    def gold(self) -> Table:
        """The nuggets, of each run."""
        where = None
        rows = self.plan.input("gold", self.nugget_keys, self.inputs.gold)
        if self.policy.failed == "skip" and rows.has("importance"):
            where = col("importance") != "failed"
            rows = self.plan.selected("nuggets", self.nugget_keys, rows, where, **self._own(rows))
        return rows

    @staticmethod
    def _own(rows: Table) -> dict[str, Expr]:
        return {name: col(name) for name in ("importance", "nugget_weight") if rows.has(name)}

    @cached_property
    def predicted(self) -> Table:
        """The labels."""
        keys = (*self.nugget_keys, "judge") if self.several_judges else self.nugget_keys
        return self.plan.input("predicted", keys, self.inputs.predicted)

    @cached_property
    def assigned(self) -> Table:
        """A row per nugget and answer, with the labels of all judges."""
        return self.plan.grouped("assigned", self.predicted, *self.nugget_keys)

    @cached_property
    def answers(self) -> Table | None:
        """The answers, where the user has a table of them."""
        return None if self.inputs.answers is None else self.plan.input("answers", self.keys, self.inputs.answers)

    def of_judges(self, value: Expr) -> Expr:
        """At the nuggets: the mean over judges of a value per label, those that are null left out."""
        value = self.predicted.column(value)
        if not self.several_judges:
            return self.gold.lookup(value, of=self.predicted)
        return self.gold.lookup(self.predicted.mean(value, into=self.assigned), of=self.assigned)

    @property
    def is_assigned(self) -> Expr:
        """At the nuggets: whether they have a label for the answer."""
        if not self.several_judges:
            return ~self.gold.lookup(col("label"), of=self.predicted).is_null()
        return ~self.gold.lookup(self.predicted.count(into=self.assigned), of=self.assigned).is_null()

    @property
    def is_answered(self) -> Expr:
        """At the queries: whether there is an answer, or a label for one."""
        documents = self.documents
        labelled = documents.lookup(self.predicted.count(into=documents), of=documents) > 0
        if self.answers is None:
            return labelled
        return labelled | (documents.lookup(self.answers.count(into=documents), of=documents) > 0)
