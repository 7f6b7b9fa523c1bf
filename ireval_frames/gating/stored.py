"""A stored evaluation as a side of a gate: its values per unit, and the conditions under which they were computed."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.comparison.values.sources import MEASURE, SYSTEM, VALUE, PerUnitValues
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.errors import (
    Argument,
    FileError,
    Hint,
    InvalidParameter,
    MissingColumn,
    NotDefined,
    UnknownName,
    listed,
)
from ireval_frames.gating.conditions import VERSIONS, Conditions, judgment_digest, policy_values
from ireval_frames.store import Store

# The prefix of the name of a stored evaluation.
STORED = "store:"
_ATTEMPTS = 5


@dataclass(frozen=True, eq=False)
class Stored:
    """An evaluation of a store.

    Attributes:
        store: the store.
        name: as the user writes it: a tag, an id or the beginning of one, with or without "/RUN".
        id: its id.
        run: the one run that is meant; None for all.
        tables: tables of the store that were already read.
    """

    store: Store
    name: str
    id: str
    run: str | None = None
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)

    def rows(self, table: str) -> pl.DataFrame:
        """The rows of the evaluation in a table of the store."""
        if table in self.tables:
            return self.tables[table].filter(pl.col("evaluation_id") == self.id)
        return rows_of(self.store, table, [self.id])

    def conditions(self) -> Conditions:
        """Its conventions, versions and digests."""
        return conditions_of(self.rows("evaluations"), self.rows("inputs"))[self.id]

    def judgments(self, digest: str) -> pl.DataFrame | None:
        """The judgments themselves, if they were stored."""
        try:
            return self.store.kept(digest).collect()
        except UnknownName:
            return None

    def measures(self) -> list[str]:
        """Its measures in their order, without those whose units are not averaged."""
        rows = self.rows("measures").sort("place")
        return rows.filter(pl.col("aggregation") == "mean")["measure"].to_list()

    @property
    def decimals(self) -> int | None:
        """The number of decimals that its values are rounded to; None where they are not."""
        decimals: int | None = self.rows("evaluations")["decimals"][0]
        return decimals

    def origin(self) -> str:
        """The name, id, time and tool, in words."""
        occasions = self.rows("occasions").sort("made_at")
        when = f", added {occasions['made_at'][-1]:%Y-%m-%d %H:%M} UTC" if occasions.height else ""
        tool = self.rows("evaluations")["source"][0]
        rounded = "" if self.decimals is None else f" and rounded: all is compared to {self.decimals} decimals"
        source = "" if tool is None else f", imported from {tool}{rounded}"
        return f"{STORED}{self.name}, evaluation {self.id}{when}{source}"

    def values(self, by: tuple[str, ...] | None, named: Collection[str]) -> PerUnitValues:
        """The values per unit, all ids as text.

        Args:
            by: columns that make segments: those of the evaluation, or columns of the queries that were stored with
                it; None for those of the evaluation.
            named: the measures that rules name; others are left out where their units are not averaged.

        Raises:
            MissingColumn: the store does not know a column of by.
            NotDefined: a named measure is not a mean.
            UnknownName: there is no such run.
        """
        row = self.rows("evaluations").row(0, named=True)
        unit, groups = json.loads(row["unit_columns"]), json.loads(row["by_columns"])
        measures = self.rows("measures").sort("place")
        _refuse_sums(measures.filter(pl.col("measure").is_in(list(named))))
        means = measures.filter(pl.col("aggregation") == "mean")
        rows = self._rows_of_run(self.rows("values").filter(pl.col("measure").is_in(means["measure"].to_list())))
        units = _decoded(rows["unit_id"], unit) if len(unit) > 1 else dict.fromkeys(unit, rows["unit_id"])
        own = _decoded(rows["groups"], groups)
        requested = tuple(groups) if by is None else by
        segments = self._segments(requested, own, units)
        keys = [segments[n].alias(f"by_{i}") for i, n in enumerate(requested)]
        keys += [units[n].alias(f"unit_{i}") for i, n in enumerate(unit)]
        engine = PolarsEngine()
        frame = rows.select(
            pl.col("measure").alias(MEASURE), pl.col("run_id").alias(SYSTEM), pl.col("value").alias(VALUE)
        )
        falling = means.filter(pl.col("higher_is_better").not_())["measure"].to_list()
        return PerUnitValues(
            engine,
            engine.from_polars(frame.with_columns(keys)),
            "run_id",
            tuple(unit),
            requested,
            tuple(means["measure"].to_list()),
            tuple(falling),
        )

    def _rows_of_run(self, rows: pl.DataFrame) -> pl.DataFrame:
        if self.run is None:
            return rows
        runs = rows["run_id"].unique().sort().to_list()
        if self.run not in runs:
            raise UnknownName(f"Evaluation {self.id} has no run {self.run!r}.", f"It has: {listed(runs, 5)}.")
        return rows.filter(pl.col("run_id") == self.run)

    def _segments(
        self, names: Sequence[str], groups: Mapping[str, pl.Series], units: Mapping[str, pl.Series]
    ) -> dict[str, pl.Series]:
        """The columns of segments: of the evaluation, of its units, or of the stored queries."""
        columns = {**units, **groups}
        missing = [n for n in names if n not in columns]
        if missing and "query_id" in units:
            columns |= self._query_columns(missing, units["query_id"])
        for name in names:
            if name not in columns:
                raise MissingColumn(
                    f"The stored evaluation {self.name!r} has no column {name!r} (it has: {listed(columns, 20)}).",
                    "Add it with its queries: store.add(ev, queries=topics)",
                )
        return columns

    def _query_columns(self, names: Sequence[str], queries: pl.Series) -> dict[str, pl.Series]:
        rows = self.rows("queries").select("query_id", "attributes").iter_rows()
        attributes = {query: json.loads(text or "{}") for query, text in rows}
        known = [n for n in names if any(n in values for values in attributes.values())]
        ids = queries.to_list()
        return {n: pl.Series(n, [_text(attributes.get(q, {}).get(n)) for q in ids], dtype=pl.String) for n in known}


def rows_of(store: Store, table: str, ids: Sequence[str] | None = None) -> pl.DataFrame:
    """The rows of a table of the store, of all evaluations or of some; it tries again while others pack files."""
    for _ in range(_ATTEMPTS):
        with suppress(FileNotFoundError):
            return store.table(table, evaluations=ids).collect()
    return store.table(table, evaluations=ids).collect()


def conditions_of(evaluations: pl.DataFrame, inputs: pl.DataFrame) -> dict[str, Conditions]:
    """The conditions of evaluations, by their ids.

    Args:
        evaluations: rows of that table of the store.
        inputs: the same.
    """
    conditions, tables = {}, inputs.partition_by("evaluation_id", as_dict=True)
    for row in evaluations.iter_rows(named=True):
        table = tables.get((row["evaluation_id"],))
        digest = None if table is None else judgment_digest(table.to_dicts())
        policy, versions = None, {}
        if row["source"] is None:
            policy = policy_values(row["family"], json.loads(row["policy"]))
            versions = {n: str(v) for n, v in json.loads(row["versions"] or "{}").items() if n in VERSIONS}
        conditions[row["evaluation_id"]] = Conditions(row["family"], policy, versions, digest)
    return conditions


def find_stored(text: str, store: Store | str | Path | None) -> Stored:
    """The evaluation that `store:NAME` names: a tag, an id or its beginning; `store:NAME/RUN` is one run of it.

    Args:
        text: with or without "store:".
        store: a store, or its folder.

    Raises:
        InvalidParameter: no store is named.
        UnknownName: there is no such evaluation.
        FileError: there is no such store.
    """
    name = text.removeprefix(STORED)
    store = open_store(store, text)
    try:
        return Stored(store, name, store.find(name))
    except UnknownName:
        # Tags and runs may hold slashes: the longest beginning that is a name counts.
        for slash in (i for i in reversed(range(len(name))) if name[i] == "/"):
            with suppress(UnknownName):
                return Stored(store, name, store.find(name[:slash]), name[slash + 1 :])
        raise


def open_store(store: Store | str | Path | None, purpose: str) -> Store:
    """A store, from itself or its folder.

    Args:
        store: the store or folder.
        purpose: what needs it, for the error.

    Raises:
        InvalidParameter: none is named.
        FileError: there is none.
    """
    if isinstance(store, Store):
        return store
    if not isinstance(store, str | Path):
        raise InvalidParameter(f"{purpose!r} needs a store.", Hint("Name its folder: ", Argument("store", "results")))
    if not Path(store).is_dir():
        raise FileError(
            f"There is no store in {store}.", Hint("Name the folder of one: ", Argument("store", "results"))
        )
    return Store(store, create=False)


def _refuse_sums(measures: pl.DataFrame) -> None:
    """Refuse measures whose units are not averaged.

    Raises:
        NotDefined: there is one.
    """
    for name, aggregation in measures.select("measure", "aggregation").iter_rows():
        if aggregation != "mean":
            raise NotDefined(f"{name} is the {aggregation} of its units; a gate compares means.", "Leave it out.")


def _decoded(column: pl.Series, names: Sequence[str]) -> dict[str, pl.Series]:
    """JSON of several columns, as a column of text each."""
    decoded = {text: json.loads(text) for text in column.unique()}
    texts = column.to_list()
    return {n: pl.Series(n, [_text(decoded[t].get(n)) for t in texts], dtype=pl.String) for n in names}


def _text(value: Any) -> str | None:
    """A value of JSON in the text that Polars casts it to."""
    return None if value is None else str(value).lower() if isinstance(value, bool) else str(value)
