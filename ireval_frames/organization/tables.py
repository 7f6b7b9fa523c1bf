"""The tables of an evaluation of document organization.

```
items   a row per document                       positions  a row per position of the system's list
cells   a row per (position, grade) that occurs  grades     a row per grade of the gold
units   a row per topic
```

Related documents are counted by (cluster, class), or, if these overlap, by the sets of clusters and classes: see
`relatedness`.
"""

from __future__ import annotations

from functools import cached_property

from ireval_frames.conventions.items import OrganizationPolicy
from ireval_frames.expr import Expr, col
from ireval_frames.organization.inputs import OrganizationInputs
from ireval_frames.plan import Plan, Table


class OrganizationTables:
    """The tables, made from the canonical inputs."""

    def __init__(self, plan: Plan, inputs: OrganizationInputs, policy: OrganizationPolicy) -> None:
        self.plan, self.inputs, self.policy, self.keys = plan, inputs, policy, inputs.keys
        self.tasks, self.missing = inputs.tasks, policy.missing
        plan.unit = self.units

    @cached_property
    def units(self) -> Table:
        """A row per topic."""
        rows = self.plan.input("unit_rows", self.keys, self.inputs.unit_rows)
        return self.plan.grouped("units", rows, *self.keys)

    @cached_property
    def items(self) -> Table:
        """A row per document of either side; overlapping, with its numbers of clusters and classes and their sets."""
        items = self.plan.input("items", (*self.keys, "item_id"), self.inputs.items)
        if self.missing == "skip":
            return self.plan.selected("items_of_both_sides", items.keys, items, ~self.inputs.incomplete())
        return items

    def total(self, at: Table) -> Expr:
        """The number of a topic's documents, at the rows of a table."""
        return at.lookup(self.items.count(into=self.units), of=self.units)

    @cached_property
    def cells(self) -> Table:
        """A row per position and grade that occur together."""
        return self.plan.grouped("cells", self.items, *self.keys, "position", "grade")

    @property
    def number(self) -> Expr:
        """The number of documents of a cell."""
        return self.items.count(into=self.cells)

    @cached_property
    def positions(self) -> Table:
        """A row per position of the system's list."""
        return self.plan.grouped("positions", self.cells, *self.keys, "position")

    @cached_property
    def grades(self) -> Table:
        """A row per grade of the gold."""
        return self.plan.grouped("grades", self.cells, *self.keys, "grade")

    @cached_property
    def partner_cells(self) -> Table:
        """The cells again, as the partners of documents."""
        return self.plan.selected(
            "partner_cells",
            (*self.keys, "position", "partner_grade"),
            self.cells,
            partner_grade=col("grade"),
            number=self.number,
        )

    @cached_property
    def cells_against_grades(self) -> Table:
        """Every cell with every grade but the lowest."""
        lowest = self.grades.over(col("grade").min(), self.keys, name="lowest")
        bounds = self.plan.selected("bounds", self.grades.keys, self.grades, col("grade") > lowest)
        return self.plan.joined(
            "cells_against_grades",
            (*self.keys, "position", "partner_grade", "grade"),
            self.partner_cells,
            bounds,
            on=self.keys,
        )

    @cached_property
    def counts_by_grade(self) -> Table:
        """A row per position and grade but the lowest, with counts of lower grades and of others at the position."""
        return self.plan.grouped("counts_by_grade", self.cells_against_grades, *self.keys, "position", "grade")
