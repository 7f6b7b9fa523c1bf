"""The tables that families of documents share.

```
documents   a row per document: the unit
gold        the rows of the gold in documents       predicted   those of the predictions
```
"""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from ireval_frames.documents.inputs import DocumentInputs
from ireval_frames.documents.units import UnitTables
from ireval_frames.plan import Table


class DocumentTables(UnitTables):
    """The tables, made from the canonical inputs."""

    inputs: DocumentInputs
    # What identifies a row of a document.
    row_keys: ClassVar[tuple[str, ...]] = ()

    @cached_property
    def gold(self) -> Table:
        """The rows of the gold."""
        return self.plan.input("gold", (*self.keys, *self.row_keys), self.inputs.gold)

    @cached_property
    def predicted(self) -> Table:
        """The rows of the predictions."""
        return self.plan.input("predicted", (*self.keys, *self.row_keys), self.inputs.predicted)
