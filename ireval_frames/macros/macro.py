"""A table macro of DuckDB, and the statements that make it."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.engines.quoting import identifier, string
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
    """

    name: str
    tables: tuple[str, ...]
    options: tuple[Option, ...]
    body: str
    sentence: str

    def arguments(self) -> str:
        """What it is called with, those that must be given first."""
        ordered = sorted(self.options, key=lambda o: bool(o.default))
        return ", ".join([*map(identifier, self.tables), *(o.declared for o in ordered)])

    def statements(self, prefix: str) -> list[str]:
        """What makes it and tells what it is."""
        name = prefix + self.name
        return [
            f"CREATE OR REPLACE MACRO {name}({self.arguments()}) AS TABLE (\n{self.body}\n)",
            f"COMMENT ON MACRO TABLE {name} IS {string(self.sentence)}",
        ]
