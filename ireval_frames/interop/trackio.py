"""Tables for Trackio; log metrics by `trackio.log(ir.interop.trackers.metrics(evaluation))`."""

from __future__ import annotations

from typing import Any

from ireval_frames.interop.tables import any_rows, package


def to_table(table: Any) -> Any:
    """Any table as a `trackio.Table`, such as `ev.per_unit()`; log it with `trackio.log({"units": …})`.

    Args:
        table: a frame of any kind, a relation, or a path.

    Raises:
        EngineError: trackio or pandas is not installed.

    Source: Trackio, `trackio.Table(dataframe=…)`, of a pandas frame.
    """
    rows = any_rows(table, "table")
    package("pandas")
    return package("trackio").Table(dataframe=rows.to_pandas())
