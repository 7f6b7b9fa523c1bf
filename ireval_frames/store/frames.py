"""Runs, values, histories and leaderboards of a store, as lazy frames over its files."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

import polars as pl

from ireval_frames.catalog import parse_all
from ireval_frames.declaration import Measure
from ireval_frames.errors import UnknownName, nearest
from ireval_frames.store.folder.files import Listing
from ireval_frames.store.folder.marks import PACK, owner
from ireval_frames.store.tables import TABLES

# Inputs with the answers of systems, and files that values came from.
ANSWERS = ("run", "runs", "predictions", "system", "values", "file")
CELL = ("run_id", "groups", "measure")
# The columns that identify a leaderboard.
BOARD = ("collection", "family")


def names_of(names: str | Iterable[str] | None) -> list[str] | None:
    """Names, one or several; None is all."""
    return None if names is None else [names] if isinstance(names, str) else [str(n) for n in names]


def last_occasions(listing: Listing, collection: str | None = None) -> pl.LazyFrame:
    """The last occasion of every evaluation and collection."""
    rows = _of_collection(listing.rows("occasions"), collection)
    rows = rows.sort("made_at", "occasion_id").unique(["evaluation_id", "collection"], keep="last", maintain_order=True)
    return rows.select("evaluation_id", "collection", "made_at", "tags", "occasion_id")


def runs(listing: Listing, collection: str | None = None) -> pl.LazyFrame:
    """A row per collection, evaluation and run."""
    occasions = last_occasions(listing, collection).drop("occasion_id")
    sources = listing.rows("evaluations").select("evaluation_id", "source", "decimals")
    rows = listing.rows("runs").join(occasions, on="evaluation_id").join(sources, on="evaluation_id")
    of_runs = (c for c in TABLES["runs"].columns if c != "run_id")
    columns = ["collection", "run_id", "made_at", *of_runs, "source", "decimals", "tags"]
    return rows.select(columns).sort("collection", "run_id", "made_at", "evaluation_id")


def last(
    listing: Listing, collection: str | None, measures: list[str] | None, of_runs: list[str] | None
) -> pl.LazyFrame:
    """The last summary of every collection, run, group and measure."""
    rows = listing.rows("summaries").join(last_occasions(listing, collection), on="evaluation_id")
    if measures is not None:
        rows = rows.filter(pl.col("measure").is_in(measures))
    if of_runs is not None:
        rows = rows.filter(pl.col("run_id").is_in(of_runs))
    rows = rows.sort("made_at", "occasion_id").unique(["collection", *CELL], keep="last", maintain_order=True)
    return rows.drop("occasion_id")


def history(listing: Listing, measures: list[str], of_runs: list[str] | None, collection: str | None) -> pl.LazyFrame:
    """The value on every occasion, the oldest first."""
    rows = listing.rows("summaries").filter(pl.col("measure").is_in(measures))
    if of_runs is not None:
        rows = rows.filter(pl.col("run_id").is_in(of_runs))
    occasions = _of_collection(listing.rows("occasions"), collection)
    joined = rows.join(occasions.select("evaluation_id", "collection", "made_at", "tags"), on="evaluation_id")
    columns = ("collection", "made_at", *CELL, "value", "n_units", "n_undefined", "evaluation_id", "tags")
    return joined.select(columns).sort("made_at", *CELL, "evaluation_id")


def judgment_inputs(listing: Listing) -> pl.LazyFrame:
    """The inputs with judgments, or labels in a table of their own."""
    # A single table also holds the answers, so that its digest does not identify the judgments.
    several = listing.rows("inputs").filter(pl.len().over("evaluation_id") > 1)
    return several.filter(~pl.col("name").is_in(ANSWERS))


def conditions(listing: Listing) -> pl.LazyFrame:
    """evaluation_id, family, policy, kinds, judged: texts that evaluations under the same conditions share."""

    def text(*columns: str) -> pl.Expr:
        return pl.concat_str(*columns, separator=" ").sort().str.join(" ")

    texts = {"kinds": text("name", "digest_kind"), "judged": text("name", "digest_kind", "digest")}
    digests = judgment_inputs(listing).group_by("evaluation_id", maintain_order=True).agg(**texts)
    evaluations = listing.rows("evaluations").select("evaluation_id", "family", "policy")
    return evaluations.join(digests, on="evaluation_id", how="left").with_columns(pl.col(*texts).fill_null(""))


def _differs() -> pl.Expr:
    """How rows differ from those with the newest conditions of their family, in words; null where they do not."""

    def other(column: str) -> pl.Expr:
        return pl.col(column) != pl.col(column).filter(pl.col("conditions") == 1).first().over(*BOARD)

    judgments = pl.when(other("kinds")).then(pl.lit("digests of another kind")).otherwise(pl.lit("judgments"))
    both = [
        pl.when(other("judged")).then(judgments),
        pl.when(other("policy")).then(pl.lit("conventions")),
    ]
    words = pl.concat_str(both, separator=", ", ignore_nulls=True)
    return pl.when(words != "").then(words).alias("differs")


def leaderboard(listing: Listing, collection: str | None, measures: list[str] | None) -> pl.LazyFrame:
    """The last values of all runs, the best first, those with the newest judgments and conventions before others."""
    rows = last(listing, collection, measures, None).join(conditions(listing), on="evaluation_id")
    directions = listing.rows("measures").select("evaluation_id", "measure", "higher_is_better", "place")
    rows = rows.join(directions, on=["evaluation_id", "measure"])
    goodness = pl.when(pl.col("higher_is_better").not_()).then(-pl.col("value")).otherwise("value")
    keys = ("policy", "judged")
    newest = pl.col("made_at").max().over(*BOARD, *keys).dt.strftime("%Y%m%d%H%M%S%6f")
    number = pl.concat_str(newest, *keys).rank("dense", descending=True).over(*BOARD).cast(pl.Int64)
    rows = rows.with_columns(conditions=number)
    rank = (
        pl.when(pl.col("higher_is_better").is_null())
        .then(None)
        .otherwise(goodness.rank("min", descending=True).over(*BOARD, "measure", "groups", "conditions"))
        .cast(pl.Int64)
    )
    ranked = rows.with_columns(_differs(), rank=rank)
    order = ["collection", "place", "measure", "groups", "conditions", "rank", "run_id"]
    columns = ["collection", "measure", "groups", "conditions", "differs", "rank", "run_id", "value"]
    more = ["n_units", "n_undefined", "made_at", "evaluation_id", "tags"]
    return ranked.sort(order, nulls_last=True).select(*columns, *more)


def values(
    listing: Listing, measures: list[str] | None, of_runs: list[str] | None, collection: str | None, *, counts: bool
) -> pl.LazyFrame:
    """The values per unit of the last evaluations; only the files of these are read."""
    cells = last(listing, collection, measures, of_runs).select("collection", "evaluation_id", *CELL).collect()
    ids = sorted({*cells["evaluation_id"]})
    rows = rows_of(listing, "values", ids)
    # These filters let Parquet skip groups of rows.
    for column, names in (("measure", measures), ("run_id", of_runs)):
        if names is not None:
            rows = rows.filter(pl.col(column).is_in(names))
    rows = rows.join(cells.lazy(), on=["evaluation_id", *CELL])
    columns = ["collection", "run_id", "groups", "unit_id", "measure", "value", "status", "evaluation_id"]
    if counts:
        keys = ["evaluation_id", "run_id", "groups", "unit_id"]
        rows = rows.join(rows_of(listing, "units", ids), on=keys, how="left", nulls_equal=True)
        columns += [c for c in TABLES["units"].columns if c not in keys]
    return rows.select(columns).sort("collection", "measure", "run_id", "groups", "unit_id", nulls_last=True)


def rows_of(listing: Listing, name: str, ids: Collection[str]) -> pl.LazyFrame:
    """The rows of evaluations in a table; only their files are read."""
    paths = [p for p in listing.files[name] if p.name.startswith(PACK) or owner(p.stem) in ids]
    fewer = replace(listing, files={**listing.files, name: paths})
    return fewer.scan(name).filter(pl.col("evaluation_id").is_in(sorted(ids)))


def check_names(listing: Listing, column: str, names: Iterable[str] | None) -> None:
    """Refuse names that the store does not have.

    Args:
        listing: the files.
        column: run_id, measure or collection.
        names: the names.

    Raises:
        UnknownName: there is no such run, measure or collection.
    """
    if names is None:
        return
    table = "occasions" if column == "collection" else "summaries"
    known = listing.rows(table).select(pl.col(column).unique()).collect()[column].to_list()
    what = {"run_id": "run", "measure": "measure"}.get(column, column)
    for name in names:
        if name not in known:
            # Evaluations without a collection have the empty name.
            hint = nearest(name, filter(None, known)) if any(known) else ""
            raise UnknownName(f"The store has no {what} {name!r}.", hint or "See: store.runs()")


def _of_collection(rows: pl.LazyFrame, collection: str | None) -> pl.LazyFrame:
    return rows if collection is None else rows.filter(pl.col("collection") == collection)


def measures_and_runs(
    listing: Listing,
    measure: str | Measure | Iterable[str | Measure] | None,
    runs: str | Iterable[str] | None,
    collection: str | None,
) -> tuple[list[str] | None, list[str] | None]:
    """The requested measures and runs by their names in the store; None is all.

    Raises:
        UnknownName: the store has no such run, measure or collection.
    """
    measures, names = _stored_names(measure, listing), names_of(runs)
    check_names(listing, "measure", measures)
    check_names(listing, "run_id", names)
    check_names(listing, "collection", None if collection is None else [collection])
    return measures, names


def _stored_names(measures: str | Measure | Iterable[str | Measure] | None, listing: Listing) -> list[str] | None:
    """Measures by their names in the store; a name that it has stays as it is."""
    if measures is None:
        return None
    stored = set(listing.rows("summaries").select(pl.col("measure").unique()).collect()["measure"])
    families = sorted(set(listing.rows("evaluations").select("family").collect()["family"]))
    result = []
    for text in [str(measures)] if isinstance(measures, str | Measure) else map(str, measures):
        names = [text]
        for family in families if text not in stored else []:
            try:
                parsed = [str(m) for m in parse_all(text, family)]
            except ValueError:
                continue
            if stored.issuperset(parsed):
                names = parsed
                break
        result += names
    return result
