"""The user's tables of relations under our names: a row per relation, or per argument of an event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from ireval_frames.columns.relations import GOLD, PREDICTED
from ireval_frames.columns.schema import WHOLE
from ireval_frames.conventions.relations import RelationPolicy
from ireval_frames.documents.compared import type_of_both
from ireval_frames.documents.inputs import SIDES, DocumentInputs
from ireval_frames.engines.base import Engine
from ireval_frames.errors import Argument
from ireval_frames.expr import Expr, col
from ireval_frames.items.class_types import literal_class, named_by
from ireval_frames.items.inputs import ItemNames

POSITIONS = tuple(f"{side}_{name}" for side in ("head", "tail") for name in ("start", "end", "token"))
# Classes that are compared with each other where a relation has no direction.
CLASSES = (("label",), ("head_type", "tail_type"), ("head_id", "tail_id"))
# The arguments of `Relations` that name a column.
COLUMNS = ("doc_id", "label")


class RelationInputs(DocumentInputs):
    """The relations of one evaluation.

    Args:
        tables: the user's tables.
        names: the user's names of columns.
        engine: where the plan runs.
        policy: the conventions.
        undirected: the labels whose arguments have no order; True for all.

    Attributes:
        present: the columns that both tables have, under our names.
        undirected: the labels in their type; True for all.
    """

    def __init__(
        self,
        tables: Mapping[str, Any],
        names: ItemNames,
        engine: Engine,
        policy: RelationPolicy,
        *,
        undirected: tuple[Any, ...] | bool = (),
    ) -> None:
        self.policy, self._undirected = policy, undirected
        self.present: tuple[str, ...] = ()
        self._types: dict[str, Any] = {}
        super().__init__((GOLD, PREDICTED), tables, names, engine)
        self.undirected = (
            undirected
            if isinstance(undirected, bool) or "label" not in self._types
            else tuple(
                literal_class(
                    u, self._types["label"], "undirected", text=True, line=lambda label: Argument("undirected", [label])
                )
                for u in undirected
            )
        )

    def row(self, side: str) -> dict[str, Expr]:
        """The columns that both tables have."""
        if not self.present:
            both = [c.name for c in GOLD.columns if all(c.name in self.columns[s] for s in SIDES)]
            self.present = tuple(c for c in both if c != self.document)
            # Without an order of arguments heads are compared with tails.
            for group in CLASSES if self._undirected else ((c,) for classes in CLASSES for c in classes):
                if of_group := [c for c in group if c in self.present]:
                    dtype = type_of_both(self, *of_group)
                    self._types |= dict.fromkeys(of_group, dtype)
        return {
            c: self.position(side, c)
            if c in POSITIONS
            else named_by(col(self.columns[side][c]), self._types[c])
            for c in self.present
        }  # fmt: skip

    def position(self, side: str, column: str) -> Expr:
        """A column of positions; fractions stay fractions, which a check refuses."""
        return self.number_of(side, column, WHOLE)

    def user_name(self, side: str, column: str) -> str:
        """The user's name of a column of one side."""
        return self.columns[side].get(column, column)

    def dtype(self, column: str) -> Any:
        """The type of a column under our name."""
        return pl.Float64 if column in POSITIONS else self._types[column]
