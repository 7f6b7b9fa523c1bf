"""`ir.Store`: results kept in a folder of Parquet files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.catalog import parse_all
from ireval_frames.declaration import Measure
from ireval_frames.evaluation import Evaluation
from ireval_frames.store import asking, comparing, files, folder, querying, upkeep
from ireval_frames.store.adding import Occasion, added, query_table, tag_file
from ireval_frames.store.evaluations import rows_of
from ireval_frames.store.files import Listing, Result
from ireval_frames.store.tables import TABLES

if TYPE_CHECKING:
    import duckdb

    from ireval_frames.comparison.comparison import Comparison

Names = str | Iterable[str]


class Store:
    """Evaluations kept in a folder of Parquet files, which many may write and read at once, without locks.

    What is kept of an evaluation: values per unit at full precision, counts, summaries, measures, conventions,
    versions, and digests of the tables that were evaluated.  `docs/store.md` lists every table and column.

    Args:
        path: the folder; it is made if it is not there.
        create: make it; False refuses a folder that is no store.

    Raises:
        FileError: the folder holds something else, or is a store of a newer release.

    Example:
        >>> import tempfile, ireval_frames as ir
        >>> store = ir.Store(tempfile.mkdtemp() + "/results")
        >>> id = store.add(ir.evaluate(*ir.examples.ranking(), "AP RR"), run="bm25", collection="small")
        >>> store.leaderboard("small").select("measure", "rank", "run_id", "value").collect().row(1)
        ('RR', 1, 'bm25', 1.0)
        >>> store.sql("SELECT count(*) AS n FROM evaluations").item()
        1
    """

    def __init__(self, path: str | os.PathLike[str], *, create: bool = True) -> None:
        self.path = Path(path).absolute()
        folder.opened(self.path, create=create)
        self._queried = querying.Queried()

    def __repr__(self) -> str:
        return f"Store({str(self.path)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self.path),)

    # ---- keeping

    def add(
        self,
        kept: Evaluation | Comparison,
        *,
        collection: str = "",
        tags: Mapping[str, Any] | None = None,
        queries: Any = None,
        run: str | None = None,
        at: datetime | None = None,
        who: bool = False,
        digest: str = "fast",
        command: str | None = None,
    ) -> str:
        """Keep an evaluation or a comparison; its id.

        The id follows from what was evaluated (digests of the tables), the measures and the conventions.  Adding the
        same again under the same names changes nothing; under others it is one more occasion.

        Args:
            kept: an evaluation of any family, or a comparison.
            collection: what was searched, in your words; leaderboards and histories are of a collection.
            tags: what else there is to say: `{"model": "bm25", "k1": 1.2}`.
            queries: a table of query_id and further columns; by default that of the evaluation.
            run: the name of the run, where the evaluation has no column of runs.
            at: when, with its time zone; now by default.  With it, each time is an occasion of its own.
            who: keep the names of the machine and of the user.
            digest: "fast", or "portable": the same on every engine, also for more than 50,000 rows, which are sorted.
            command: the command line that made it.

        Raises:
            InvalidParameter: an argument is not what it should be.
            NotDefined: the evaluation does not know its tables.
            FileError: the disk refuses; then nothing of it is seen.
            DataError: the data of the evaluation are at fault.
        """
        occasion = Occasion.of(collection=collection, tags=tags, at=at, who=who, command=command)
        if not isinstance(kept, Evaluation):
            return comparing.kept(self.path, kept, occasion)
        querying.one_of("digest", digest, ("fast", "portable"))
        table = query_table(kept, queries)
        rows = rows_of(kept, run=run, queries=table, portable=digest == "portable")
        self._with(lambda listing: added(self.path, listing, rows, occasion))
        return rows.id

    def tag(self, name: str, evaluation_id: str) -> None:
        """Give an evaluation a name, such as main; the name moves, if another one had it.

        Args:
            name: the name.
            evaluation_id: the evaluation, by its id, the beginning of it, or another name.

        Raises:
            UnknownName: there is no such evaluation.
        """
        tag_file(self.path, name, self.find(evaluation_id))

    def find(self, given: str) -> str:
        """The id of an evaluation, of its beginning or a tag.

        Raises:
            UnknownName: there is none, or several begin so.
        """
        return self._with(lambda listing: upkeep.found(listing, given))

    # ---- asking

    def table(self, name: str) -> pl.LazyFrame:
        """The rows of a table of the store as a lazy frame: evaluations, runs, values … (`docs/store.md`).

        Raises:
            UnknownName: there is no such table.
        """
        querying.one_of("table", name, TABLES)
        return self._with(lambda listing: listing.scan(name))

    def evaluations(self) -> pl.LazyFrame:
        """A row per evaluation."""
        return self.table("evaluations")

    def runs(self, collection: str | None = None) -> pl.LazyFrame:
        """A row per collection, evaluation and run, with the digest of the run and the tags of the last occasion.

        Runs of one digest are the same under several names; a name with several digests is of a run that changed.
        """
        return self._with(lambda listing: asking.runs(listing, collection))

    def values(
        self,
        measure: str | Measure | Iterable[str | Measure] | None = None,
        *,
        runs: Names | None = None,
        collection: str | None = None,
        counts: bool = False,
    ) -> pl.LazyFrame:
        """Values per unit of the last evaluation of each run and measure.

        Args:
            measure: one or several; all by default.
            runs: of these runs; of all by default.
            collection: of one collection; of all by default.
            counts: with what each unit holds: n_retrieved, n_judged, n_relevant …

        Returns:
            collection run_id groups unit_id measure value status evaluation_id; `status` is ok, undefined (value is
            null) or missing (the run has nothing for the unit, and the value is what the conventions say).

        Raises:
            UnknownName: the store has no such run, measure or collection.
        """

        def found(listing: Listing) -> pl.LazyFrame:
            measures, wanted = _asked(listing, measure, runs, collection)
            return asking.values(listing, measures, wanted, collection, counts=counts)

        return self._with(found)

    def history(
        self, measure: str | Measure, *, run: Names | None = None, collection: str | None = None
    ) -> pl.LazyFrame:
        """The value of a measure on every occasion, the oldest first.

        Args:
            measure: the measure.
            run: of one or several runs; of all by default.
            collection: of one collection; of all by default.

        Returns:
            collection made_at run_id groups measure value n_units n_undefined evaluation_id tags.
        """

        def found(listing: Listing) -> pl.LazyFrame:
            measures, runs = _asked(listing, measure, run, collection)
            return asking.history(listing, measures or [], runs, collection)

        return self._with(found)

    def leaderboard(
        self, collection: str | None = None, measures: str | Measure | Iterable[str | Measure] | None = None
    ) -> pl.LazyFrame:
        """The last value of every run, the best first, as the measure's direction says.

        Args:
            collection: of one collection; by default of all, each ranked apart.
            measures: of these; by default of all.

        Returns:
            collection measure groups rank run_id value n_units n_undefined made_at evaluation_id tags.
        """

        def found(listing: Listing) -> pl.LazyFrame:
            names, _ = _asked(listing, measures, None, collection)
            return asking.leaderboard(listing, collection, names)

        return self._with(found)

    def compare(
        self,
        baseline: str,
        run: str,
        measure: str | Measure | Iterable[str | Measure],
        *,
        collection: str | None = None,
        strict: bool = True,
        **options: Any,
    ) -> Comparison:
        """Compare two runs over stored values: `ir.compare` of the last evaluations.

        Args:
            baseline: the run compared with.
            run: the other one.
            measure: one or several.
            collection: where, if the runs are in several.
            strict: refuse runs that were evaluated with different judgments or conventions.
            options: those of `ir.compare`.

        Raises:
            UnknownName: there is no such run, measure or collection.
            MismatchedTables: judgments or conventions differ, or the runs are in several collections.
        """

        def found(listing: Listing) -> Comparison:
            measures, _ = _asked(listing, measure, [baseline, run], collection)
            return comparing.compared(listing, (baseline, run), measures or [], collection, options, strict=strict)

        return self._with(found)

    def sql(self, query: str, parameters: Any = None) -> pl.DataFrame:
        """The answer to a query in DuckDB's SQL over the tables of the store; it can change nothing.

        Views are evaluations, runs, inputs, measures, summaries, "values", units, queries, occasions, tags,
        comparisons, gates and last_summaries; macros `latest(tag)`, `diff(baseline, run, measure)`,
        `history(measure)`.

        Args:
            query: one SELECT (also FROM …, WITH …, DESCRIBE, SUMMARIZE).
            parameters: values for `?` or `$name` in it.

        Raises:
            NotDefined: it is something else than a query.
            InvalidParameter: DuckDB does not understand it.

        Example:
            >>> import tempfile, ireval_frames as ir
            >>> store = ir.Store(tempfile.mkdtemp())
            >>> _ = store.add(ir.evaluate(*ir.examples.ranking(), "P@1 RR"), run="bm25")
            >>> store.sql("SELECT run_id, value FROM history(?)", ["P@1"]).rows()
            [('bm25', 1.0)]
        """
        return self._queried.ask(lambda: self._with(lambda listing: listing), query, parameters)

    def connect(self, *, external: bool = False) -> duckdb.DuckDBPyConnection:
        """A connection to a DuckDB in memory with the views and macros, as the store is now.

        Args:
            external: let it reach files outside the store, and its settings be changed.
        """
        return self._with(lambda listing: querying.connected(listing, external=external))

    # ---- upkeep

    def compact(self) -> int:
        """Put the files of each table into one, which is read faster; how many files there are less.

        Others may read and write meanwhile.  A lazy frame from before may name files that are gone: ask anew.
        """
        return self._with(upkeep.compact)

    def merge(self, other: str | os.PathLike[str] | Store) -> int:
        """Take over what another store has and this one has not; how many evaluations these are.

        Raises:
            FileError: the other one is no store.
        """
        there = other if isinstance(other, Store) else Store(other, create=False)
        return self._with(lambda listing: upkeep.merge(listing, files.listing(there.path)))

    def remove(self, evaluation_id: str) -> None:
        """Remove an evaluation, with its occasions and tags.

        Raises:
            UnknownName: there is no such evaluation.
        """
        found = self.find(evaluation_id)
        self._with(lambda listing: upkeep.remove(listing, found))

    def check(self) -> pl.DataFrame:
        """What is wrong: a row per file that is damaged, foreign, incomplete or left over; every file is read whole.

        Returns:
            path, problem; no row where all is well.
        """
        return upkeep.check(files.listing(self.path))

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Write all into one DuckDB file with its views and macros, which DuckDB from 1.5 on opens.

        Raises:
            FileError: there is such a file already, or the disk refuses.
        """
        return self._with(lambda listing: querying.exported(listing, Path(path)))

    # ---- within

    def _with(self, action: Callable[[Listing], Result]) -> Result:
        return files.again(self.path, action)


def _asked(
    listing: Listing, measure: Any, runs: Names | None, collection: str | None
) -> tuple[list[str] | None, list[str] | None]:
    """The measures and runs that are asked for; what the store does not have is refused."""
    measures, wanted = _spelled(measure, listing), asking.names_of(runs)
    asking.known(listing, "measure", measures)
    asking.known(listing, "run_id", wanted)
    asking.known(listing, "collection", None if collection is None else [collection])
    return measures, wanted


def _spelled(given: Any, listing: Listing) -> list[str] | None:
    """Measures as the store writes them; a name that it has is taken as it is."""
    if given is None:
        return None
    asked = [given] if isinstance(given, str | Measure) else list(given)
    there = set(listing.scan("summaries").select(pl.col("measure").unique()).collect()["measure"])
    families = sorted(set(listing.scan("evaluations").select("family").collect()["family"]))
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
