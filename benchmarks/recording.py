"""What pages of the documentation show of a run: its rows, the day, the machine and the versions."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.jobs import Bench
from benchmarks.machine import here
from benchmarks.rows import Row

FILE = "benchmarks.json"


def record(folder: Path, group: str, rows: Iterable[Row], disturbed: str, bench: Bench) -> None:
    """Write a group's rows into `benchmarks.json`, where other groups stay, and its points into a file of its own."""
    of_run = {"machine": here(), "disturbed": disturbed}
    _write(
        folder / FILE,
        recorded(folder)
        | {
            group: of_run
            | {"date": datetime.now(UTC).date().isoformat(), "peers": bench.installed}
            | {"rows": [row.cells(judged=False) for row in rows]}
        },
    )
    if group in bench.recorded:
        _write(folder / f"{group}.json", of_run | bench.recorded[group])


def recorded(folder: Path) -> dict[str, Any]:
    """The groups that were recorded, empty if none was."""
    file = folder / FILE
    groups: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return groups


def _write(file: Path, what: dict[str, Any]) -> None:
    file.write_text(json.dumps(what, indent=1) + "\n", encoding="utf-8")
