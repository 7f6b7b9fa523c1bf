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
        return self._known(self.plan.input("gold", self.nugget_keys, self.inputs.gold), "nuggets")

    def _known(self, rows: Table, name: str) -> Table:
        """The nuggets that the policy leaves."""
        if self.policy.failed != "skip" or not rows.has("importance"):
            return rows
        own = {c: col(c) for c in ("importance", "nugget_weight") if rows.has(c)}
        return self.plan.selected(name, rows.keys, rows, col("importance") != "failed", **own)

    @cached_property
    def predicted(self) -> Table:
        """The labels."""
        keys = (*self.nugget_keys, "judge") if self.several_judges else self.nugget_keys
        return self.plan.input("predicted", keys, self.inputs.predicted)

    @cached_property
    def assigned(self) -> Table:
        """A row per nugget and answer, with the labels of all judges."""
        return self.plan.grouped("assigned", self.predicted, *self.nugget_keys)

    @property
    def labelled(self) -> Table:
        """A row per nugget and answer that has a label."""
        return self.assigned if self.several_judges else self.predicted

    @cached_property
    def nuggets_alone(self) -> Table:
        """The nuggets, each once for all runs."""
        rows = self.inputs.rows["gold"]
        keys = tuple(k for k in self.nugget_keys if k in rows.columns and k != "run_id")
        return self._known(self.plan.input("nuggets_alone", keys, rows), "known_nuggets")

    @cached_property
    def queries(self) -> Table:
        """The queries with nuggets, each once for all runs."""
        nuggets = self.nuggets_alone
        return self.plan.grouped("queries_alone", nuggets, *(k for k in nuggets.keys if k != "nugget_id"))

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
