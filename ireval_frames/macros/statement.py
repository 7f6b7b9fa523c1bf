"""The statement of a plan over tables that are named at the call, with parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.engines.base import Ranking
from ireval_frames.engines.duckdb.statement_text import SQLText
from ireval_frames.engines.duckdb.types import types_of
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.frames import Read
from ireval_frames.engines.quoting import identifier
from ireval_frames.engines.ranked_rows import RankedRows
from ireval_frames.engines.row_checks import Check
from ireval_frames.engines.sql.frame import SQLFrame
from ireval_frames.engines.sql.ranking import Ranked
from ireval_frames.engines.sql.statement import Step, required_steps, statement
from ireval_frames.engines.sql.values import type_name
from ireval_frames.errors import EngineError
from ireval_frames.items.inputs import is_of_units
from ireval_frames.macros.checks import UNKNOWN, check_steps
from ireval_frames.macros.macro import Option

# The start of the names of stages, which a caller's tables do not have.
_STAGE = "ireval_macro_"


class MacroText(SQLText):
    """Writes the statement of a plan over tables that are named at the call.

    Args:
        selects: the SELECT that reads each table, by the name of its argument.
        options: the parameters of the text.
        constants: the SELECT that replaces a constant table, by its columns, which are text.
    """

    classes_as_text = True

    def __init__(
        self,
        selects: Mapping[str, str],
        options: Sequence[Option],
        constants: Mapping[tuple[str, ...], str] | None = None,
    ) -> None:
        super().__init__(None, _no_files)
        self._selects, self._options, self._constants = selects, options, constants or {}
        self._tables: dict[str, tuple[Step, str]] = {}
        self._checks: list[Check] = []

    def open_table(self, table: Any, name: str, read: Read) -> Frame:
        """A table that is named at the call, as the first stage."""
        del read
        return self._read(dict(table.schema), name, self._selects[name])

    def from_polars(self, frame: pl.DataFrame) -> SQLFrame:
        """Constant rows, or the SELECT that replaces them."""
        columns = tuple(frame.columns)
        if columns not in self._constants:
            return super().from_polars(frame)
        return self._read(dict.fromkeys(columns, pl.String()), columns[0], self._constants[columns])

    def _read(self, types: Mapping[str, Any], name: str, select: str) -> SQLFrame:
        """The rows of a SELECT; none until the statement is written."""
        empty = ", ".join(f"CAST(NULL AS {type_name(t)}) AS {identifier(c)}" for c, t in types.items())
        step = Step((f"SELECT {empty} WHERE FALSE",), tuple(types), f"{_STAGE}{name}", types=dict(types))
        self._tables[name] = (step, select)
        return SQLFrame(self, step)

    def enforces(self, checks: Sequence[Check]) -> bool:
        """All: the statement raises their errors; rows without a unit are refused where they are read."""
        self._checks += [check for check in checks if not is_of_units(check)]
        return True

    def collect(self, frame: Frame) -> pl.DataFrame:
        """One row of placeholders, for the texts of errors."""
        return pl.DataFrame(dict.fromkeys(frame.columns, UNKNOWN))

    def rank(self, frame: Frame, ranking: Ranking, partner: Frame | None) -> RankedRows:
        """Ranked rows; invalid rows of a run are refused where they are read."""
        if not isinstance(frame, SQLFrame):
            raise TypeError(f"{frame!r} is not a frame of DuckDB")
        return _Ranked(self, frame, ranking, partner)

    def describe(self, step: Step) -> Mapping[str, Any]:
        """The types of a step's columns, from a macro over empty tables."""
        options = ", ".join(f"{identifier(o.name)} := CAST(NULL AS {o.type or 'VARCHAR'})" for o in self._options)
        with self.locked():
            self._session.values(
                f"CREATE OR REPLACE TEMP MACRO ireval_described({options}) AS TABLE\n{statement(step)}"
            )
            return types_of(self.query("FROM ireval_described()"))

    def macro_text(self, frame: Frame, *, messages: bool = True) -> tuple[str, set[str]]:
        """The statement that reads the tables by name, and the columns of all of its stages.

        Args:
            frame: the result.
            messages: with the texts of errors.
        """
        if not isinstance(frame, SQLFrame):
            raise TypeError(f"{frame!r} is not a frame of DuckDB")
        checks = check_steps(self._checks, messages=messages)
        for step, select in self._tables.values():
            step.body = (select,)
        final = frame.as_step()
        # Tables are read first: behind another stage, a SELECT could read that stage instead of a table of its name.
        sources = [part for step, _ in self._tables.values() for part in (", ", step)][1:]
        conditions = [part for check in checks for part in (" AND (SELECT held FROM ", check, ")")][1:]
        where = ["\nWHERE (SELECT held FROM ", *conditions] if conditions else []
        final = Step(("-- Reads ", *sources, "\nSELECT * FROM ", final, *where), final.columns)
        # DuckDB before 1.5 refuses tables with the names of some stages.
        columns = {column.lower() for step in required_steps(final) for column in step.columns}
        return statement(final, prefix=_STAGE), columns


class _Ranked(Ranked):
    """Ranked rows without checks."""

    def check(self) -> None:
        """Nothing: the statement has not run."""


def _no_files(name: str, path: Any) -> Any:
    raise EngineError(f"A macro reads tables, and {name} is {path!r}.", "Name a table of the database.")
