"""Tables of spans."""

from pathlib import Path

import numpy as np
import polars as pl


def marked(folder: Path, rows: int) -> None:
    """Ten gold spans per document, and predictions of which a sixth has other ends, a twentieth another type."""
    rng = np.random.default_rng(rows)
    number, types = np.arange(rows), np.array(["PER", "LOC", "ORG", "MISC"])
    start, length, kind = (
        number % 10 * 30 + rng.integers(0, 10, rows),
        rng.integers(2, 15, rows),
        rng.integers(0, 4, rows),
    )
    end, change = start + length, rng.random(rows)
    first = np.maximum(start + np.where(change < 0.1, rng.integers(-2, 3, rows), 0), 0)
    last = np.maximum(end + np.where((change > 0.05) & (change < 0.15), rng.integers(-1, 20, rows), 0), first + 1)
    other = np.where(rng.random(rows) < 0.05, (kind + 1) % 4, kind)
    for side, columns in {"gold": (start, end, kind), "predicted": (first, last, other)}.items():
        frame = pl.DataFrame(
            {"doc_id": number // 10, "start": columns[0], "end": columns[1], "type": types[columns[2]]}
        )
        if side == "predicted":
            frame = frame.filter(pl.Series(change < 0.95)).unique(maintain_order=True)
        frame.write_parquet(folder / f"{side}.parquet")
