"""Several clusterings of the same items: columns side by side become runs below each other."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import polars as pl

from ireval_frames.engines.frame import Frame, concat
from ireval_frames.errors import Argument, Hint, InvalidParameter, MissingColumn, listed
from ireval_frames.expr import col, lit
from ireval_frames.items.class_types import is_list, type_of_values
from ireval_frames.items.inputs import free_name


def stacked_clusterings(
    frame: Frame, table: str, clusterings: Sequence[str], kept: Collection[str], run_id: str | None
) -> tuple[Frame, Mapping[str, str], bool]:
    """The rows once for each clustering, what its cluster and its name are called, and whether types were mixed.

    Args:
        frame: a table with a column for each clustering.
        table: what errors call it.
        clusterings: the columns; of different types they are compared as text.
        kept: of them those that are something else besides, such as groups.
        run_id: the column that tells runs apart already, if there is one.

    Raises:
        MissingColumn: one is not there.
        InvalidParameter: there are runs already.
    """
    present = list(frame.columns)
    there = [c for c in clusterings if c in present]
    for wanted in clusterings:
        if wanted not in present:
            raise MissingColumn(
                f"The {table} table has no column {wanted!r} (it has: {listed(present, 20)}).",
                Hint("Name some of them: ", Argument("cluster", there or present[-1:])),
            )
    if run_id is not None and run_id not in clusterings:
        raise InvalidParameter(
            f"The {table} table has a column {run_id!r} of runs, and {len(clusterings)} clusterings side by side.",
            "Drop the column, or name one clustering.",
        )
    called = {"cluster_id": free_name("cluster_id", frame), "run_id": free_name("run_id", frame)}
    types = [type_of_values(frame, c) for c in clusterings]
    lists = [is_list(frame, c) for c in clusterings]
    mixed = any(t != types[0] for t in types)
    text = pl.List(pl.String()) if any(lists) else pl.String()
    if mixed and len(set(lists)) > 1:
        raise InvalidParameter(
            f"Of the clusterings {listed(map(repr, clusterings))} some are lists and some are not.",
            f'Make lists of all: frame.with_columns(pl.concat_list("{clusterings[lists.index(False)]}"))',
        )
    rest = {c: col(c) for c in present if c not in clusterings or c in kept}
    rows = frame.lazy()
    parts = []
    for name in clusterings:
        cluster = col(name).cast(text) if mixed else col(name)
        parts.append(rows.select(**rest, **{called["run_id"]: lit(name), called["cluster_id"]: cluster}))
    return concat(parts), called, mixed
