"""Tables for Weights & Biases; log metrics by `run.summary.update(ir.interop.trackers.metrics(evaluation))`."""

from __future__ import annotations

from typing import Any

from ireval_frames.errors import NotDefined
from ireval_frames.interop.tables import any_rows, package

# W&B shows no more rows of a table.
_MAX_ROWS = 200_000


def to_table(table: Any) -> Any:
    """Any table as a `wandb.Table`, such as `ev.per_unit()`; log it with `run.log({"units": …})`.

    Args:
        table: a frame of any kind, a relation, or a path, of at most 200,000 rows.

    Raises:
        EngineError: wandb is not installed.
        NotDefined: the table has more rows than W&B shows.

    Source: W&B, `wandb.Table(columns=…, data=…)`.
    """
    rows = any_rows(table, "table")
    if rows.height > _MAX_ROWS:
        raise NotDefined(
            f"The table has {rows.height} rows; W&B shows at most {_MAX_ROWS}.",
            "Sample them: frame.sample(200_000, seed=0)",
        )
    return package("wandb").Table(columns=rows.columns, data=[list(row) for row in rows.iter_rows()])
