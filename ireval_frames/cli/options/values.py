"""The options of commands that read tables of values per unit."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any

from ireval_frames.cli.options.command import Option
from ireval_frames.cli.options.common import several


@dataclass(frozen=True)
class ValueColumns:
    """The columns of a table of values per unit, and the measures of which less is better."""

    unit: Annotated[
        list[str] | None, Option("--unit", metavar="COLUMN", help="Of a table of values: what tells units apart.")
    ] = None
    system: Annotated[str, Option("--system", metavar="COLUMN", help="Of a table of values: the systems.")] = "run_id"
    measure_column: Annotated[
        str, Option("--measure-column", metavar="COLUMN", help="Of a table of values: the measures.")
    ] = "measure"
    value: Annotated[str, Option("--value", metavar="COLUMN", help="Of a table of values: the values.")] = "value"
    lower_is_better: Annotated[
        list[str] | None,
        Option("--lower-is-better", metavar="MEASURES", help="Of a table of values, comma-separated."),
    ] = None

    @property
    def lower(self) -> list[str]:
        """The measures of which less is better."""
        return several(self.lower_is_better)

    def arguments(self) -> dict[str, Any]:
        """The columns, as arguments of what reads the table."""
        return {
            "unit": self.unit or "query_id", "system": self.system, "measure": self.measure_column, "value": self.value,
        }  # fmt: skip

    def options(self) -> dict[str, bool]:
        """The options by their names, and whether they were given."""
        return {f"--{f.name.replace('_', '-')}": getattr(self, f.name) != f.default for f in fields(self)}
