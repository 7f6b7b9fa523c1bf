"""The options of commands that evaluate tables, and of those that read values per unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any

from ireval_frames.cli.options.arguments import only_measures
from ireval_frames.cli.options.command import Option
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
    split_names,
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
        """The names of columns, ours → the user's."""
        return mapping(self.column)

    @property
    def stores(self) -> dict[str, str] | None:
        """The options for paths such as s3://…."""
        return storage(self.storage_option)

    def arguments(self) -> dict[str, Any]:
        """The arguments of a subject."""
        return {
            "columns": self.columns, "engine": self.engine, "policy": self.policy, "storage_options": self.stores,
        }  # fmt: skip


@dataclass(frozen=True)
class ValueOptions:
    """The measures, and which of their values are written."""

    measures: Measures = None
    by: By = None
    over: Over = None
    per_unit: PerUnit = False

    def at_most_one(self, **results: bool) -> None:
        """Refuse more than one of several results, including the values of units."""
        at_most_one(per_unit=self.per_unit, **results)

    def values(self, evaluation: Evaluation, measures: Sequence[Measure]) -> Values:
        """The values of an evaluation."""
        units = evaluation.per_unit() if self.per_unit else None
        return Values(evaluation.summary(over=self.over or ()), units, measures)


@dataclass(frozen=True)
class ItemOptions(ValueOptions):
    """The same, of tables of items."""

    arguments: Arguments = None
    unit: Unit = None

    def parse(self, family: str, default: str) -> list[Measure]:
        """The measures that are named, or the default ones."""
        return only_measures([*(self.measures or ()), *(self.arguments or ())], default, family)

    def groups(self) -> dict[str, Any]:
        """The groups, as arguments of a subject."""
        return {"unit": self.unit or (), "by": self.by or ()}


@dataclass(frozen=True)
class ValueColumns:
    """The columns of a table of values per unit, and the measures of which less is better."""

    unit: Annotated[
        list[str] | None, Option("--unit", metavar="COLUMN", help="The units of a table of values; repeatable.")
    ] = None
    system: Annotated[str, Option("--system", metavar="COLUMN", help="The systems of a table of values.")] = "run_id"
    measure_column: Annotated[
        str, Option("--measure-column", metavar="COLUMN", help="The measures of a table of values.")
    ] = "measure"
    value: Annotated[str, Option("--value", metavar="COLUMN", help="The values of such a table.")] = "value"
    lower_is_better: Annotated[
        list[str] | None,
        Option("--lower-is-better", metavar="MEASURES", help="Measures of which less is better, comma-separated."),
    ] = None

    @property
    def lower(self) -> list[str]:
        """The measures of which less is better."""
        return split_names(self.lower_is_better)

    def arguments(self) -> dict[str, Any]:
        """The columns, as arguments of what reads the table."""
        return {
            "unit": self.unit or "query_id", "system": self.system, "measure": self.measure_column, "value": self.value,
        }  # fmt: skip

    def options(self) -> dict[str, bool]:
        """The options by their names, and whether they are set."""
        return {f"--{f.name.replace('_', '-')}": getattr(self, f.name) != f.default for f in fields(self)}
