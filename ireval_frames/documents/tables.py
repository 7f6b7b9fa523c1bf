"""The tables that families of documents share.

```
documents   a row per document: the unit
gold        the rows of the gold in documents       predicted   those of the predictions
```
"""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from ireval_frames.conventions.documents import DocumentPolicy
from ireval_frames.documents.inputs import DocumentInputs
from ireval_frames.expr import Expr, col
from ireval_frames.plan import Plan, Table


class DocumentTables:
    """The tables, made from the canonical inputs."""

    # What identifies a row of a document.
    row_keys: ClassVar[tuple[str, ...]] = ()

    def __init__(self, plan: Plan, inputs: DocumentInputs, policy: DocumentPolicy) -> None:
        self.plan, self.inputs, self.policy = plan, inputs, policy
        self._base = inputs.base or inputs
        self.keys = (*self._base.keys, "item_id")
        self.weighted = "weight" in inputs.user_columns
        # Of tables with a row per current unit and further columns: their rows per document, and per drawn document.
        self.drawn_rows: dict[str, tuple[Table, Table]] = {}
        plan.unit = self.drawn or self.documents

    @cached_property
    def documents(self) -> Table:
        """A row per document."""
        return self.plan.input("documents", self.keys, self._base.items)

    @cached_property
    def drawn(self) -> Table | None:
        """A row per drawn document, with its `weight`, where documents are drawn and rows are summed in each once."""
        if self.inputs.base is None:
            return None
        return self.plan.input("drawn_documents", (*self.inputs.keys, "item_id"), self.inputs.items)

    @cached_property
    def gold(self) -> Table:
        """The rows of the gold."""
        return self.plan.input("gold", (*self.keys, *self.row_keys), self.inputs.gold)

    @cached_property
    def predicted(self) -> Table:
        """The rows of the predictions."""
        return self.plan.input("predicted", (*self.keys, *self.row_keys), self.inputs.predicted)

    @property
    def weight(self) -> Expr | None:
        """The weight of a document, if documents have weights."""
        return col("weight") if self.weighted else None
