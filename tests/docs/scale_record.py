"""The results of `python -m benchmarks scale --record docs`."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

RECORD = Path(__file__).parents[2] / "docs" / "scale.json"
FIGURE = RECORD.with_suffix(".svg")
# Blue, vermilion and green are distinct for the colour-blind; dashes and marks repeat the distinction.
LINES = {
    "Polars, Parquet": ("#0072B2", [1, 0], "circle"),
    "Polars, memory": ("#0072B2", [6, 4], "square"),
    "DuckDB, Parquet": ("#D55E00", [1, 0], "triangle-up"),
    "DuckDB, memory": ("#D55E00", [6, 4], "diamond"),
    "Spark, Parquet": ("#009E73", [1, 0], "cross"),
}
# What grows, and what is constant.
GROWS = {
    "rows": "five measures",
    "queries": "1 M rows in all",
    "runs": "of 100 k rows each",
    "measures": "of 1 M rows",
}


def record() -> dict[str, Any]:
    """The machine, and the lines by what grows."""
    results: dict[str, Any] = json.loads(RECORD.read_text("utf-8"))
    return results


def mark() -> str:
    """The hash of the record, written into its figure, since renderers differ in the text of the same figure."""
    return f"<!-- of {RECORD.name} {hashlib.sha256(RECORD.read_bytes()).hexdigest()} -->\n"


def drawn() -> bool:
    """Whether the figure was drawn from this record."""
    return FIGURE.exists() and FIGURE.read_text("utf-8").endswith(mark())
