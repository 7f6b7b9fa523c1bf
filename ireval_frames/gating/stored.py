"""A stored evaluation as a side of a gate: its values per unit, and the terms under which they were computed."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.comparison.values.sources import MEASURE, SYSTEM, VALUE, Values
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
from ireval_frames.gating.terms import VERSIONS, Terms, policy_of, truth_of
from ireval_frames.store import Store

# How the name of a stored evaluation begins.
STORED = "store:"
_TRIES = 5


@dataclass(frozen=True, eq=False)
class Stored:
    """An evaluation of a store.

    Attributes:
        store: the store.
        name: as it was asked for: a tag, an id or the beginning of one, with a run behind a slash or without.
        id: its id.
        run: the one run that is meant; none for all.
        read: tables of the store that are read already.
    """

    store: Store
    name: str
    id: str
    run: str | None = None
    read: Mapping[str, pl.DataFrame] = field(default_factory=dict)

    def rows(self, table: str) -> pl.DataFrame:
        """The rows of the evaluation in a table of the store."""
        if table in self.read:
            return self.read[table].filter(pl.col("evaluation_id") == self.id)
        return rows_of(self.store, table, [self.id])

    def terms(self) -> Terms:
        """Its conventions, versions and digests."""
        return terms_of_rows(self.rows("evaluations"), self.rows("inputs"))[self.id]

    def judgments(self, digest: str) -> pl.DataFrame | None:
        """The judgments themselves, if they were kept."""
        try:
            return self.store.kept(digest).collect()
        except UnknownName:
            return None

    def measures(self) -> list[str]:
        """Its measures, in the order asked, without those whose units are not averaged."""
        rows = self.rows("measures").sort("place")
        return rows.filter(pl.col("aggregation") == "mean")["measure"].to_list()

    @property
    def decimals(self) -> int | None:
        """To how many decimals its values are rounded; none where they are not."""
        decimals: int | None = self.rows("evaluations")["decimals"][0]
        return decimals

    def origin(self) -> str:
        """What it is, in words."""
        occasions = self.rows("occasions").sort("made_at")
        when = f", added {occasions['made_at'][-1]:%Y-%m-%d %H:%M} UTC" if occasions.height else ""
        tool = self.rows("evaluations")["source"][0]
        rounded = "" if self.decimals is None else f" and rounded: all is compared to {self.decimals} decimals"
        source = "" if tool is None else f", imported from {tool}{rounded}"
        return f"{STORED}{self.name}, evaluation {self.id}{when}{source}"

    def values(self, by: tuple[str, ...] | None, named: Collection[str]) -> Values:
        """The values per unit, all ids as text.

        Args:
            by: columns that make segments: those of the evaluation, or columns of the queries that were kept with it;
                none for those of the evaluation.
            named: the measures that rules name; others are left out where their units are not averaged.

        Raises:
            MissingColumn: the store does not know a column of by.
            NotDefined: a measure that is named is no mean.
            UnknownName: there is no such run.
        """
        row = self.rows("evaluations").row(0, named=True)
        unit, groups = json.loads(row["unit_columns"]), json.loads(row["by_columns"])
        measures = self.rows("measures").sort("place")
        _refuse_sums(measures.filter(pl.col("measure").is_in(list(named))))
        means = measures.filter(pl.col("aggregation") == "mean")
        rows = self.rows("values").filter(pl.col("measure").is_in(means["measure"].to_list()))
        rows = self._of_run(rows)
        units = _decoded(rows["unit_id"], unit) if len(unit) > 1 else dict.fromkeys(unit, rows["unit_id"])
        known = _decoded(rows["groups"], groups)
        wanted = tuple(groups) if by is None else by
        segments = self._segments(wanted, known, units)
        keys = [segments[n].alias(f"by_{i}") for i, n in enumerate(wanted)]
        keys += [units[n].alias(f"unit_{i}") for i, n in enumerate(unit)]
        engine = PolarsEngine()
        frame = rows.select(
            pl.col("measure").alias(MEASURE), pl.col("run_id").alias(SYSTEM), pl.col("value").alias(VALUE)
        )
        falling = means.filter(pl.col("higher_is_better").not_())["measure"].to_list()
        return Values(
            engine,
            engine.from_polars(frame.with_columns(keys)),
            "run_id",
            tuple(unit),
            wanted,
            tuple(means["measure"].to_list()),
            tuple(falling),
        )

    def _of_run(self, rows: pl.DataFrame) -> pl.DataFrame:
        if self.run is None:
            return rows
        there = rows["run_id"].unique().sort().to_list()
        if self.run not in there:
            raise UnknownName(f"Evaluation {self.id} has no run {self.run!r}.", f"It has: {listed(there, 5)}.")
        return rows.filter(pl.col("run_id") == self.run)

    def _segments(
        self, wanted: Sequence[str], known: Mapping[str, pl.Series], units: Mapping[str, pl.Series]
    ) -> dict[str, pl.Series]:
        """The columns of segments: of the evaluation, of its units, or of the queries that were kept."""
        there = {**units, **known}
        rest = [n for n in wanted if n not in there]
        if rest and "query_id" in units:
            there |= self._of_queries(rest, units["query_id"])
        for name in wanted:
            if name not in there:
                raise MissingColumn(
                    f"The stored evaluation {self.name!r} has no column {name!r} (it has: {listed(there, 20)}).",
                    "Add it with its queries: store.add(ev, queries=topics)",
                )
        return there

    def _of_queries(self, names: Sequence[str], queries: pl.Series) -> dict[str, pl.Series]:
        kept = self.rows("queries")
        found = {q: json.loads(a or "{}") for q, a in kept.select("query_id", "attributes").iter_rows()}
        shared = [n for n in names if any(n in of for of in found.values())]
        told = queries.to_list()
        return {n: pl.Series(n, [_text(found.get(q, {}).get(n)) for q in told], dtype=pl.String) for n in shared}


def rows_of(store: Store, table: str, ids: Sequence[str] | None = None) -> pl.DataFrame:
    """The rows of a table of the store, of all evaluations or of some; files may be packed by others meanwhile."""
    for _ in range(_TRIES):
        with suppress(FileNotFoundError):
            return store.table(table, evaluations=ids).collect()
    return store.table(table, evaluations=ids).collect()


def terms_of_rows(evaluations: pl.DataFrame, inputs: pl.DataFrame) -> dict[str, Terms]:
    """The terms of evaluations, by their ids.

    Args:
        evaluations: rows of that table of the store.
        inputs: the same.
    """
    out, tables = {}, inputs.partition_by("evaluation_id", as_dict=True)
    for row in evaluations.iter_rows(named=True):
        found = tables.get((row["evaluation_id"],))
        versions = {n: str(v) for n, v in json.loads(row["versions"] or "{}").items() if n in VERSIONS}
        truth = None if found is None else truth_of(found.to_dicts())
        own = row["source"] is None
        policy = policy_of(row["family"], json.loads(row["policy"])) if own else None
        out[row["evaluation_id"]] = Terms(row["family"], policy, versions if own else {}, truth)
    return out


def stored(text: str, store: Any) -> Stored:
    """The evaluation that `store:NAME` names: a tag, an id or its beginning; `store:NAME/RUN` is one run of it.

    Args:
        text: with or without its beginning.
        store: a store, or its folder.

    Raises:
        InvalidParameter: no store is named.
        UnknownName: there is no such evaluation.
        FileError: there is no such store.
    """
    name = text.removeprefix(STORED)
    found = opened(store, text)
    try:
        return Stored(found, name, found.find(name))
    except UnknownName:
        # Tags and runs may hold slashes: the longest beginning that is a name counts.
        for place in (i for i in reversed(range(len(name))) if name[i] == "/"):
            with suppress(UnknownName):
                return Stored(found, name, found.find(name[:place]), name[place + 1 :])
        raise


def opened(store: Any, needs: str) -> Store:
    """A store, from itself or its folder.

    Raises:
        InvalidParameter: none is named.
        FileError: there is none.
    """
    if isinstance(store, Store):
        return store
    if not isinstance(store, str | Path):
        raise InvalidParameter(f"{needs!r} needs a store.", Hint("Name its folder: ", Argument("store", "results")))
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
    distinct = {text: json.loads(text) for text in column.unique()}
    told = column.to_list()
    return {n: pl.Series(n, [_text(distinct[t].get(n)) for t in told], dtype=pl.String) for n in names}


def _text(value: Any) -> str | None:
    """A value of JSON as Polars writes it as text."""
    return None if value is None else str(value).lower() if isinstance(value, bool) else str(value)
