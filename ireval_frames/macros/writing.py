"""The text of a plan over tables that are named when it is run, with parameters in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ireval_frames.engines.duckdb_asking import types_of
from ireval_frames.engines.duckdb_frame import DuckDBFrame
from ireval_frames.engines.duckdb_statement import Step, needed, statement
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.given import Read
from ireval_frames.engines.polars_expressions import narwhals_dtype
from ireval_frames.engines.sql import SQLText
from ireval_frames.engines.sql_names import identifier
from ireval_frames.engines.sql_values import type_name
from ireval_frames.errors import EngineError
from ireval_frames.macros.options import Option


class MacroText(SQLText):
    """Writes the statement of a plan over tables that are told by name.

    Args:
        doors: the SELECT that reads each table, by the name of its argument.
        options: the parameters that the text may have.
    """

    def __init__(self, doors: Mapping[str, str], options: Sequence[Option]) -> None:
        super().__init__(None, _no_files)
        self._doors, self._options = doors, options
        self._tables: dict[str, tuple[Step, str]] = {}

    def opened(self, given: Any, name: str, read: Read) -> Frame:
        """A table that is told by name, as the first stage."""
        del read
        types = {c: narwhals_dtype(t) for c, t in given.schema.items()}
        empty = ", ".join(f"CAST(NULL AS {type_name(t)}) AS {identifier(c)}" for c, t in types.items())
        step = Step((f"SELECT {empty} WHERE FALSE",), tuple(types), f"ireval_{name}", types=types)
        self._tables[name] = (step, self._doors[name])
        return DuckDBFrame(self, step)

    def describe(self, step: Step) -> Mapping[str, Any]:
        """The types of a step's columns: those of a macro over empty tables."""
        options = ", ".join(f"{identifier(o.name)} := CAST(NULL AS {o.type})" for o in self._options)
        with self.alone():
            self._asking.values(f"CREATE OR REPLACE TEMP MACRO ireval_described({options}) AS TABLE\n{statement(step)}")
            return types_of(self.query("FROM ireval_described()"))

    def written(self, frame: Frame) -> tuple[str, set[str]]:
        """The statement that reads the tables by name, and the columns that any stage of it has."""
        if not isinstance(frame, DuckDBFrame):
            raise TypeError(f"{frame!r} is no frame of DuckDB")
        for step, door in self._tables.values():
            step.body = (door,)
        final = frame.settled()
        return statement(final), {column.lower() for step in needed(final) for column in step.columns}


def _no_files(name: str, path: Any) -> Any:
    raise EngineError(f"A macro reads tables, and {name} is {path!r}.", "Name a table of the database.")
