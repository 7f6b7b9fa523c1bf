"""Units of which measures are pooled, such as documents or users: their inputs, and a row of each in the plan.

Units that are drawn in a resampling have weights; what is in a unit is summed once, however often it is drawn.
"""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar, Self

from ireval_frames.conventions.documents import DocumentPolicy
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.expr import Expr, col
from ireval_frames.items.inputs import ItemInputs
from ireval_frames.plan import Plan, Table


class UnitInputs(ItemInputs):
    """The tables of one evaluation; `items` has a row per unit (`item_id`)."""

    # Whether rows stay as they are where units are drawn: the context sums them in each unit once.
    sums_once: ClassVar[bool] = False
    # The inputs whose units are drawn.
    base: Self | None = None

    def on_engine(self, engine: Engine) -> Self:
        """The same tables for another engine; units are collected, too, where their rows are summed once."""
        out = super().on_engine(engine)
        if self.sums_once:
            out.items = engine.from_polars(self.engine.collect(self.items))
        return out

    def _draw_rows(self, out: Self, items: Frame, first: str) -> None:
        if self.sums_once:
            out.items, out.base = items, self
        else:
            super()._draw_rows(out, items, first)


class UnitTables:
    """The tables of a plan whose units are pooled, made from the canonical inputs."""

    # What the table of units is called.
    units: ClassVar[str] = "documents"

    def __init__(self, plan: Plan, inputs: UnitInputs, policy: DocumentPolicy) -> None:
        self.plan, self.inputs, self.policy = plan, inputs, policy
        self._base = inputs.base or inputs
        self.keys = (*self._base.keys, "item_id")
        self.weighted = "weight" in inputs.user_columns
        # Of tables with a row per current unit and further columns: their rows per unit, and per drawn unit.
        self.drawn_rows: dict[str, tuple[Table, Table]] = {}
        plan.unit = self.drawn or self.documents

    @cached_property
    def documents(self) -> Table:
        """A row per unit: a document, or what a family has in its place."""
        return self.plan.input(self.units, self.keys, self._base.items)

    @cached_property
    def drawn(self) -> Table | None:
        """A row per drawn unit, with its `weight`, where units are drawn and rows are summed in each once."""
        if self.inputs.base is None:
            return None
        return self.plan.input(f"drawn_{self.units}", (*self.inputs.keys, "item_id"), self.inputs.items)

    @property
    def weight(self) -> Expr | None:
        """The weight of a unit, if units have weights."""
        return col("weight") if self.weighted else None
