"""What `python -m benchmarks scale --record docs` found."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

RECORD = Path(__file__).parents[2] / "docs" / "scale.json"
FIGURE = RECORD.with_suffix(".svg")
# Blue, vermilion and green that the colour-blind tell apart; dashes and marks say the same once more.
LINES = {
    "Polars, Parquet": ("#0072B2", [1, 0], "circle"),
    "Polars, memory": ("#0072B2", [6, 4], "square"),
    "DuckDB, Parquet": ("#D55E00", [1, 0], "triangle-up"),
    "DuckDB, memory": ("#D55E00", [6, 4], "diamond"),
    "Spark, Parquet": ("#009E73", [1, 0], "cross"),
}
# What grows, and what stays.
GROWS = {
    "rows": "five measures",
    "queries": "1 M rows in all",
    "runs": "of 100 k rows each",
    "measures": "of 1 M rows",
}


def record() -> dict[str, Any]:
    """The machine, and the lines by what grows."""
    found: dict[str, Any] = json.loads(RECORD.read_text("utf-8"))
    return found


def mark() -> str:
    """What the figure says of the record it was drawn from; texts of the same figure differ between renderers."""
    return f"<!-- of {RECORD.name} {hashlib.sha256(RECORD.read_bytes()).hexdigest()} -->\n"


def drawn() -> bool:
    """Whether the figure is of this record."""
    return FIGURE.exists() and FIGURE.read_text("utf-8").endswith(mark())
