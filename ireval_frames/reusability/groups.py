"""The group, such as a team, of each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.schema import RUN, resolve
from ireval_frames.engines.inputs.frames import polars_frame
from ireval_frames.engines.opening import Source, open_source
from ireval_frames.errors import (
    Argument,
    FileError,
    Hint,
    InvalidParameter,
    MalformedFile,
    MismatchedTables,
    MissingColumn,
    NotDefined,
    WrongType,
    listed,
)
from ireval_frames.expr import col
from ireval_frames.io.reading import TABLE
from ireval_frames.ranking.subject import Rankings
from ireval_frames.reusability.lists import as_text
from ireval_frames.subject import request_of


def groups_of(group: Any, rankings: Rankings, runs: Sequence[Any] | pl.Series) -> pl.DataFrame:
    """A row per run: run_id, group.

    Args:
        group: a column of the table of runs, a mapping from runs to their groups, a frame of run_id and one more
            column, or None: each run is a group of its own.
        rankings: the runs.
        runs: their names.

    Raises:
        MissingColumn: the table of runs has no such column.
        MismatchedTables: a run is in several groups.
        InvalidParameter: a run has no group, or the frame does not have two columns.
        NotDefined: there is only one group.
    """
    names = pl.Series("run_id", runs).unique().sort().to_frame()
    out = names.with_columns(group="run_id") if group is None else as_text(_named(group, rankings, names))
    if (twice := out.filter(pl.col("run_id").is_duplicated())).height:
        run = twice["run_id"][0]
        several = twice.filter(pl.col("run_id") == run)["group"].sort()
        raise MismatchedTables(f"The run {run!r} is in several groups: {listed(several)}.", "Keep one of them.")
    without = names.join(out.drop_nulls("group"), on="run_id", how="anti")["run_id"]
    if len(without):
        raise InvalidParameter(
            f"These runs have no group: {listed(without, 5)}.",
            Hint("Name the group of each: ", Argument("group", dict.fromkeys(without.head(2), "team a")), "."),
        )
    if out["group"].n_unique() < 2:
        raise NotDefined(
            f"All {out.height} runs are of one group, so no judgment is left without it."
            if group is not None
            else "There is one run, so no judgment is left without it.",
            "Pass the runs of two groups or more.",
        )
    return out.sort("run_id")


def _named(group: Any, rankings: Rankings, names: pl.DataFrame) -> pl.DataFrame:
    """The groups as they were passed, of these runs."""
    if isinstance(group, str):
        out = _of_column(group, rankings)
    elif isinstance(group, Mapping):
        of_runs = {run: group[run] for run in names["run_id"] if run in group}
        schema = {"run_id": names.schema["run_id"], "group": None}
        out = pl.DataFrame({"run_id": list(of_runs), "group": list(of_runs.values())}, schema=schema, strict=False)
    else:
        try:
            table = polars_frame(group, "group", TABLE)
        except WrongType as error:
            raise InvalidParameter(
                f"group is of type {type(group).__name__}; it must be a column, a mapping or a frame.",
                Hint("Write ", Argument("group", "team"), " or ", Argument("group", {"bm25": "a", "dense": "b"}), "."),
            ) from error
        others = [c for c in table.columns if c != "run_id"]
        if "run_id" not in table.columns or len(others) != 1:
            raise InvalidParameter(
                f"The table of groups has the columns {listed(table.columns)}; it must have run_id and one more.",
                'Select them: table.select("run_id", "team")',
            )
        out = as_text(table).select(pl.col("run_id").cast(names.schema["run_id"]), group=others[0]).unique()
    return names.join(out, on="run_id")


def _of_column(name: str, rankings: Rankings) -> pl.DataFrame:
    """The groups in a column of the runs.

    Raises:
        MissingColumn: there is none of that name.
    """
    engine = rankings.engine
    with engine.errors():
        hint = Hint("Name the group of each run: ", Argument("group", {"bm25": "a", "dense": "b"}), ".")
        try:
            table = open_source(Source(request_of(rankings).user_tables["run"], "run", TABLE), engine, any_names=True)
        except (FileError, MalformedFile, WrongType) as error:
            raise MissingColumn(
                f"The runs are files that are no table, so they have no column {name!r}.", hint
            ) from error
        columns = list(table.columns)
        if name not in columns:
            raise MissingColumn(f"The table of runs has no column {name!r} (it has: {listed(columns)}).", hint)
        run_id = resolve(RUN, columns, rankings.names.of("run"))["run_id"]
        return as_text(engine.collect(table.select(run_id=col(run_id), group=col(name)).unique()))
