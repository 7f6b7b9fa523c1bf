"""What is asked of a store: runs, values, history, leaderboards, as lazy frames over its files."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

import polars as pl

from ireval_frames.catalog import parse_all
from ireval_frames.declaration import Measure
from ireval_frames.errors import UnknownName, nearest
from ireval_frames.store.folder.files import Listing
from ireval_frames.store.folder.marks import PACK, owner
from ireval_frames.store.tables import TABLES

# Inputs that are what a system found, and files that values came from.
FOUND = ("run", "runs", "predictions", "system", "values", "file")
CELL = ("run_id", "groups", "measure")
# What is ranked in one leaderboard.
OF = ("collection", "family")


def names_of(given: str | Iterable[str] | None) -> list[str] | None:
    """Names, one or several; None is all."""
    return None if given is None else [given] if isinstance(given, str) else [str(n) for n in given]


def last_occasions(listing: Listing, collection: str | None = None) -> pl.LazyFrame:
    """The last occasion of every evaluation and collection."""
    rows = _of_collection(listing.rows("occasions"), collection)
    rows = rows.sort("made_at", "occasion_id").unique(["evaluation_id", "collection"], keep="last", maintain_order=True)
    return rows.select("evaluation_id", "collection", "made_at", "tags", "occasion_id")


def runs(listing: Listing, collection: str | None = None) -> pl.LazyFrame:
    """A row per collection, evaluation and run."""
    found = last_occasions(listing, collection).drop("occasion_id")
    whose = listing.rows("evaluations").select("evaluation_id", "source", "decimals")
    rows = listing.rows("runs").join(found, on="evaluation_id").join(whose, on="evaluation_id")
    own = (c for c in TABLES["runs"].columns if c != "run_id")
    columns = ["collection", "run_id", "made_at", *own, "source", "decimals", "tags"]
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


def judged(listing: Listing) -> pl.LazyFrame:
    """The inputs that the systems were held against: judgments, labels of another table."""
    # One table alone holds what was found too, and cannot tell whether the judgments are the same.
    several = listing.rows("inputs").filter(pl.len().over("evaluation_id") > 1)
    return several.filter(~pl.col("name").is_in(FOUND))


def terms(listing: Listing) -> pl.LazyFrame:
    """evaluation_id, family, policy, kinds, judged: texts that evaluations under the same terms share."""

    def text(*columns: str) -> pl.Expr:
        return pl.concat_str(*columns, separator=" ").sort().str.join(" ")

    told = {"kinds": text("name", "digest_kind"), "judged": text("name", "digest_kind", "digest")}
    given = judged(listing).group_by("evaluation_id").agg(**told)
    known = listing.rows("evaluations").select("evaluation_id", "family", "policy")
    known = known.join(given, on="evaluation_id", how="left")
    return known.with_columns(pl.col(*told).fill_null(""))


def _differs() -> pl.Expr:
    """In what rows differ from those of the newest terms of their family, in words; null where in nothing."""

    def other(column: str) -> pl.Expr:
        return pl.col(column) != pl.col(column).filter(pl.col("terms") == 1).first().over(*OF)

    judgments = pl.when(other("kinds")).then(pl.lit("digests of another kind")).otherwise(pl.lit("judgments"))
    both = [
        pl.when(other("judged")).then(judgments),
        pl.when(other("policy")).then(pl.lit("conventions")),
    ]
    words = pl.concat_str(both, separator=", ", ignore_nulls=True)
    return pl.when(words != "").then(words).alias("differs")


def leaderboard(listing: Listing, collection: str | None, measures: list[str] | None) -> pl.LazyFrame:
    """The last values of all runs, the best first, those with the newest judgments and conventions before others."""
    rows = last(listing, collection, measures, None).join(terms(listing), on="evaluation_id")
    told = listing.rows("measures").select("evaluation_id", "measure", "higher_is_better", "place")
    rows = rows.join(told, on=["evaluation_id", "measure"])
    goodness = pl.when(pl.col("higher_is_better").not_()).then(-pl.col("value")).otherwise("value")
    alike = ("policy", "judged")
    newest = pl.col("made_at").max().over(*OF, *alike).dt.strftime("%Y%m%d%H%M%S%6f")
    newest = pl.concat_str(newest, *alike)
    rows = rows.with_columns(terms=newest.rank("dense", descending=True).over(*OF).cast(pl.Int64))
    of = (*OF, "measure", "groups", "terms")
    place = (
        pl.when(pl.col("higher_is_better").is_null())
        .then(None)
        .otherwise(goodness.rank("min", descending=True).over(of))
        .cast(pl.Int64)
    )
    ranked = rows.with_columns(_differs(), rank=place)
    order = ["collection", "place", "measure", "groups", "terms", "rank", "run_id"]
    columns = ["collection", "measure", "groups", "terms", "differs", "rank", "run_id", "value"]
    more = ["n_units", "n_undefined", "made_at", "evaluation_id", "tags"]
    return ranked.sort(order, nulls_last=True).select(*columns, *more)


def values(
    listing: Listing, measures: list[str] | None, of_runs: list[str] | None, collection: str | None, *, counts: bool
) -> pl.LazyFrame:
    """The values per unit of the last evaluations; only the files of these are read."""
    found = last(listing, collection, measures, of_runs).select("collection", "evaluation_id", *CELL).collect()
    ids = sorted({*found["evaluation_id"]})
    rows = of(listing, "values", ids)
    # Told as plain conditions, whole pieces of files are passed over.
    for name, wanted in (("measure", measures), ("run_id", of_runs)):
        if wanted is not None:
            rows = rows.filter(pl.col(name).is_in(wanted))
    rows = rows.join(found.lazy(), on=["evaluation_id", *CELL])
    columns = ["collection", "run_id", "groups", "unit_id", "measure", "value", "status", "evaluation_id"]
    if counts:
        keys = ["evaluation_id", "run_id", "groups", "unit_id"]
        rows = rows.join(of(listing, "units", ids), on=keys, how="left", nulls_equal=True)
        columns += [c for c in TABLES["units"].columns if c not in keys]
    return rows.select(columns).sort("collection", "measure", "run_id", "groups", "unit_id", nulls_last=True)


def of(listing: Listing, name: str, ids: Collection[str]) -> pl.LazyFrame:
    """The rows of evaluations in a table that has a column of them; only their files are read."""
    paths = [p for p in listing.files[name] if p.name.startswith(PACK) or owner(p.stem) in ids]
    fewer = replace(listing, files={**listing.files, name: paths})
    return fewer.scan(name).filter(pl.col("evaluation_id").is_in(sorted(ids)))


def known(listing: Listing, column: str, wanted: Iterable[str] | None) -> None:
    """Refuse names that the store does not have.

    Args:
        listing: the files.
        column: run_id, measure or collection.
        wanted: the names.

    Raises:
        UnknownName: there is no such run, measure or collection.
    """
    if wanted is None:
        return
    table = "occasions" if column == "collection" else "summaries"
    there = listing.rows(table).select(pl.col(column).unique()).collect()[column].to_list()
    what = {"run_id": "run", "measure": "measure"}.get(column, column)
    for name in wanted:
        if name not in there:
            # Evaluations of no collection have the empty name.
            hint = nearest(name, filter(None, there)) if any(there) else ""
            raise UnknownName(f"The store has no {what} {name!r}.", hint or "See: store.runs()")


def _of_collection(rows: pl.LazyFrame, collection: str | None) -> pl.LazyFrame:
    return rows if collection is None else rows.filter(pl.col("collection") == collection)


def asked(
    listing: Listing, measure: Any, runs: str | Iterable[str] | None, collection: str | None
) -> tuple[list[str] | None, list[str] | None]:
    """The measures and runs that are asked for; what the store does not have is refused."""
    measures, wanted = _spelled(measure, listing), names_of(runs)
    known(listing, "measure", measures)
    known(listing, "run_id", wanted)
    known(listing, "collection", None if collection is None else [collection])
    return measures, wanted


def _spelled(given: Any, listing: Listing) -> list[str] | None:
    """Measures as the store writes them; a name that it has is taken as it is."""
    if given is None:
        return None
    asked = [given] if isinstance(given, str | Measure) else list(given)
    there = set(listing.rows("summaries").select(pl.col("measure").unique()).collect()["measure"])
    families = sorted(set(listing.rows("evaluations").select("family").collect()["family"]))
    out = []
    for one in map(str, asked):
        found = [one] if one in there else None
        for family in families if found is None else []:
            try:
                names = [str(m) for m in parse_all(one, family)]
            except ValueError:
                continue
            if all(n in there for n in names):
                found = names
                break
        out += found or [one]
    return out
