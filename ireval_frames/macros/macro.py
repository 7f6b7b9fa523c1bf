"""A table macro of DuckDB, and the statements that make it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ireval_frames.engines.sql_names import identifier, string
from ireval_frames.macros.options import Option


@dataclass(frozen=True)
class Macro:
    """A table macro.

    Attributes:
        name: its name, without what is put before it.
        tables: its arguments that name tables.
        options: its other arguments.
        body: the statement.
        sentence: what it gives, for its comment.
        table: it gives a table; else a value.
    """

    name: str
    tables: tuple[str, ...]
    options: tuple[Option, ...]
    body: str
    sentence: str
    table: bool = True

    def arguments(self) -> str:
        """What it is called with, those that must be given first."""
        ordered = sorted(self.options, key=lambda o: bool(o.default))
        return ", ".join([*map(identifier, self.tables), *(o.declared for o in ordered)])

    def statements(self, prefix: str) -> list[str]:
        """What makes it and tells what it is."""
        name, kind = prefix + self.name, "MACRO TABLE" if self.table else "MACRO"
        how = f"TABLE (\n{self.body}\n)" if self.table else f"(\n{self.body}\n)"
        return [
            f"CREATE OR REPLACE MACRO {name}({self.arguments()}) AS {how}",
            f"COMMENT ON {kind} {name} IS {string(self.sentence)}",
        ]


def script(macros: Sequence[Macro], prefix: str) -> str:
    """The statements of all, as a file of SQL."""
    return "\n".join(f"{statement};\n" for macro in macros for statement in macro.statements(prefix))
