"""Files of click logs, in the layouts that they are published in, as tables of impressions."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.clicks.checks import check
from ireval_frames.clicks.formats import baidu, yandex
from ireval_frames.clicks.subject import Impressions
from ireval_frames.errors import UnknownName, nearest

LAYOUTS: dict[str, Callable[[str | Path], pl.DataFrame]] = {
    "yandex-2012": yandex.read_2012,
    "yandex-2013": yandex.read_2013,
    "baidu-ultr": baidu.read,
}


def read_clicks(
    path: str | os.PathLike[str],
    layout: str = "table",
    *,
    columns: Mapping[str, str] | None = None,
    policy: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> pl.DataFrame:
    r"""A click log as a table of impressions under our names, its data checked.

    Args:
        path: the file; for a table a pattern or a folder, too.
        layout: "table" for Parquet, Arrow, CSV, TSV or JSON lines with a row per shown result, or one per page with
            lists; or "yandex-2012", "yandex-2013", "baidu-ultr".
        columns: of a table: the names of its columns, ours → theirs.
        policy: of a table: the conventions (see `ClickPolicy`), such as "positions=zero".
        storage_options: options of the stores of remote paths.

    Returns:
        A row per shown result: serp_id, doc_id, position (from 1), click, and the other columns of the log; a page
        that shows nothing is a row without document and position.  Yandex's clicks name their page only in 2013: in
        2012 it is the last page of the session that showed the document; `dwell` is the time until the next event of
        the session, and times are in Yandex's units.  Clicks on documents that were not shown have no position
        (`policy="unshown=skip"`).

    Raises:
        FileError, MalformedFile: the file cannot be read, or lines of it are of another form.
        MissingColumn, WrongType, InvalidValue, DuplicateRows, MismatchedTables: the log breaks a check.
        UnknownName: there is no such layout.

    Example:
        >>> import tempfile, ireval_frames as ir
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = Path(folder, "log").write_text("1\t0\tQ\t7\t2\t11\t12\n1\t5\tC\t12\n")
        ...     log = ir.clicks.read_clicks(Path(folder, "log"), "yandex-2012")
        >>> log.select("serp_id", "query_id", "doc_id", "position", "click").rows()
        [(1, 7, 11, 1, 0), (1, 7, 12, 2, 1)]
    """
    if layout in LAYOUTS:
        return LAYOUTS[layout](Path(path))
    if layout != "table":
        known = ["table", *LAYOUTS]
        raise UnknownName(f"There is no layout {layout!r} of click logs.", nearest(layout, known))
    log = Impressions(path, columns=columns, policy=policy, storage_options=storage_options)
    inputs = log.inputs(())
    check(inputs)
    return inputs.engine.collect(inputs.log.drop("shown"))
