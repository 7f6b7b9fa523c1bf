"""The tables of an evaluation of verdicts.

```
verdicts   a row per verdict         units   a row per run and query
```

There is a table of verdicts for each kind of what is judged.
"""

from __future__ import annotations

from functools import cached_property

from ireval_frames.conventions.verdicts import VerdictPolicy
from ireval_frames.expr import col
from ireval_frames.plan import Plan, Table
from ireval_frames.verdicts.inputs import VerdictInputs


class VerdictTables:
    """The tables, made from the canonical inputs."""

    def __init__(self, plan: Plan, inputs: VerdictInputs, policy: VerdictPolicy) -> None:
        self.plan, self.inputs, self.policy, self.keys = plan, inputs, policy, inputs.keys
        # What measures read where rows do not say what they are about.
        self.read: set[str] = set()
        plan.unit = self.units

    @cached_property
    def verdicts(self) -> Table:
        """A row per verdict."""
        return self.plan.input("verdicts", (*self.keys, "kind", "rank"), self.inputs.items)

    @cached_property
    def units(self) -> Table:
        """A row per run and query."""
        return self.plan.grouped("units", self.verdicts, *self.keys)

    def of(self, kind: str) -> Table:
        """The verdicts of a kind; all, if rows do not say what they are about."""
        if not self.inputs.has_kinds:
            return self.verdicts
        return self.plan.selected(f"verdicts_of_{kind}", self.verdicts.keys, self.verdicts, col("kind") == kind)
