"""The options of commands that evaluate tables: how these are read, and which values are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ireval_frames import catalog
from ireval_frames.cli.options.common import (
    Arguments,
    By,
    Columns,
    EngineName,
    Measures,
    Over,
    PerUnit,
    PolicyText,
    StorageOptions,
    Unit,
    at_most_one,
    mapping,
    storage,
)
from ireval_frames.cli.output.tables import Values

if TYPE_CHECKING:
    from ireval_frames.declaration import Measure
    from ireval_frames.evaluation.evaluation import Evaluation


@dataclass(frozen=True)
class TableOptions:
    """How tables are read, and by which conventions they are evaluated."""

    column: Columns = None
    engine: EngineName = None
    storage_option: StorageOptions = None
    policy: PolicyText = None

    @property
    def columns(self) -> dict[str, str]:
        """What columns are called, ours → theirs."""
        return mapping(self.column)

    @property
    def stores(self) -> dict[str, str] | None:
        """The options of stores such as s3://…."""
        return storage(self.storage_option)

    def arguments(self) -> dict[str, Any]:
        """The arguments of a subject."""
        return {
            "columns": self.columns, "engine": self.engine, "policy": self.policy, "storage_options": self.stores,
        }  # fmt: skip


@dataclass(frozen=True)
class ValueOptions:
    """Which measures are evaluated, and which of their values are wanted."""

    measures: Measures = None
    by: By = None
    over: Over = None
    per_unit: PerUnit = False

    def at_most_one(self, **results: bool) -> None:
        """Refuse results of which each stands for itself, the values of units among them."""
        at_most_one(per_unit=self.per_unit, **results)

    def values(self, evaluation: Evaluation, measures: Sequence[Measure]) -> Values:
        """The values of an evaluation."""
        units = evaluation.per_unit() if self.per_unit else None
        return Values(evaluation.summary(over=self.over or ()), units, measures)


@dataclass(frozen=True)
class ItemOptions(ValueOptions):
    """The same of tables of items."""

    arguments: Arguments = None
    unit: Unit = None

    def parsed(self, family: str, default: str) -> list[Measure]:
        """The measures that are named, or the default ones."""
        return catalog.parse_all([*(self.measures or ()), *(self.arguments or ())] or default, family)

    def groups(self) -> dict[str, Any]:
        """The groups, as arguments of a subject."""
        return {"unit": self.unit or (), "by": self.by or ()}
