"""Which measures gave our numbers on which database, recorded in `runs.json` like agreements with tools."""

from __future__ import annotations

from pathlib import Path

from tests.reference.recording import Recording, recorded

FILE = Path(__file__).with_name("runs.json")


class Running(Recording):
    """What ran and gave our numbers."""

    said_as = "runs"

    @property
    def file(self) -> Path:
        """Where it is stored."""
        return FILE


def ran() -> dict[str, set[str]]:
    """The measures, as family.Name, that ran on each database."""
    out: dict[str, set[str]] = {}
    for by_database in recorded(FILE).values():
        for database, measures in by_database.items():
            out.setdefault(database, set()).update(measures)
    return out
