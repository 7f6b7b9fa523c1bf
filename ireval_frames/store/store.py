"""`ir.Store`: results in a folder of Parquet files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.displayed import Displayed
from ireval_frames.errors import IrevalError
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.store import frames, results
from ireval_frames.store.adding import Occasion, add_rows, check_text, query_table
from ireval_frames.store.comparing import compare_stored
from ireval_frames.store.evaluations import rows_of
from ireval_frames.store.findings import findings
from ireval_frames.store.folder.files import Listing
from ireval_frames.store.importing_store import ImportingStore
from ireval_frames.store.page import write_store_page
from ireval_frames.store.querying import Session, check_choice
from ireval_frames.store.tables import TABLES
from ireval_frames.store.views import connect

if TYPE_CHECKING:
    import duckdb

    from ireval_frames.comparison.comparison import Comparison
    from ireval_frames.gating.result import Gate
    from ireval_frames.resampling.result import Bootstrap

Names = str | Iterable[str]


class Store(ImportingStore, Displayed):
    """Evaluations in a folder of Parquet files, which many may write and read at once, without locks.

    Of an evaluation it stores: values per unit at full precision, counts, summaries, measures, conventions, versions,
    and digests of the tables that were evaluated.  `docs/store.md` lists every table and column.

    Args:
        path: the folder; it is created if it does not exist.
        create: create it; False refuses a folder that is not a store.

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
        super().__init__(path, create=create)
        self._session = Session()

    def _displays(self) -> Sequence[pl.DataFrame | str]:
        """Its path, and its runs, the newest first."""
        try:
            rows = self.runs().select("collection", "run_id", "made_at", "n_rows", "evaluation_id", "tags").collect()
        except IrevalError as error:
            return [repr(self), str(error)]
        return [repr(self), rows.sort("made_at", descending=True, maintain_order=True)]

    # ---- writing

    def add(
        self,
        result: Evaluation | Comparison | Bootstrap | Gate | Any,
        *,
        collection: str = "",
        tags: Mapping[str, Any] | None = None,
        queries: Any = None,
        run: str | None = None,
        at: datetime | None = None,
        who: bool = False,
        digest: str = "fast",
        command: str | None = None,
        name: str = "",
    ) -> str:
        """Store an evaluation, or the result of a comparison, bootstrap, gate or other analysis; return its id.

        The id follows from the digests of the evaluated tables, the measures and the conventions.  Adding the same
        again under the same names changes nothing; under others it adds an occasion.

        Args:
            result: an evaluation of any family; the result of `ir.compare`, `bootstrap` or `ir.gate`; or any other one
                that has a table: an analysed experiment, an interleaving test, a counterfactual value, a fitted click
                model, a reproduction, a jackknife, aggregated ratings; or a small table with a name.
            collection: the name of the collection; leaderboards and histories are of a collection.
            tags: further information: `{"model": "bm25", "k1": 1.2}`.
            queries: a table of query_id and further columns; by default that of the evaluation.
            run: the name of the run, if the evaluation has no column of runs.
            at: the time, with its time zone; now by default.  If given, each time is an occasion of its own.
            who: store the names of the machine and of the user.
            digest: "fast", or "portable": the same on every engine, also for more than 20,000 rows, which are sorted.
            command: the command line.
            name: of the other results: a name such as "spring test", by which `findings` selects.

        Raises:
            InvalidParameter: an argument is not allowed.
            WrongType: a table has a column that cannot be stored.
            NotDefined: the evaluation does not know its tables.
            FileError: the disk refuses; then nothing of it is visible.
            DataError: the data of the evaluation are at fault.
        """
        occasion = Occasion.of(collection=collection, tags=tags, at=at, who=who, command=command)
        if not isinstance(result, Evaluation):
            check_text("name", name, "spring test")
            return results.add_result(self.path, result, occasion, run=run, name=name)
        check_choice("digest", digest, ("fast", "portable"))
        if run is not None:
            check_text("run", run, "bm25")
        table = query_table(result, queries)
        rows = rows_of(result, run=run, queries=table, portable=digest == "portable")
        self._with(lambda listing: add_rows(self.path, listing, rows, occasion))
        return rows.id

    # ---- reading

    def table(self, name: str, *, evaluations: Names | None = None) -> pl.LazyFrame:
        """The rows of a table of the store as a lazy frame: evaluations, runs, values … (`docs/store.md`).

        Args:
            name: the table.
            evaluations: only those of these ids; no other files are read.

        Raises:
            UnknownName: there is no such table.
        """
        check_choice("table", name, TABLES)
        ids = frames.names_of(evaluations)
        return self._with(lambda listing: listing.scan(name) if ids is None else frames.rows_of(listing, name, ids))

    def evaluations(self) -> pl.LazyFrame:
        """A row per evaluation."""
        return self.table("evaluations")

    def runs(self, collection: str | None = None) -> pl.LazyFrame:
        """A row per collection, evaluation and run, with the digest of the run and the tags of the last occasion.

        Equal digests are of the same run under several names; a name with several digests is a run that changed.
        """
        return self._collect(lambda listing: frames.runs(listing, collection))

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
            counts: with the counts of each unit: n_retrieved, n_judged, n_relevant …

        Returns:
            collection run_id groups unit_id measure value status evaluation_id; `status` is ok, undefined (value is
            null) or missing (the run has nothing for the unit, and the value follows from the conventions).

        Raises:
            UnknownName: the store has no such run, measure or collection.
        """

        def rows(listing: Listing) -> pl.LazyFrame:
            measures, names = frames.measures_and_runs(listing, measure, runs, collection)
            return frames.values(listing, measures, names, collection, counts=counts)

        return self._with(rows)

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

        def rows(listing: Listing) -> pl.LazyFrame:
            measures, runs = frames.measures_and_runs(listing, measure, run, collection)
            return frames.history(listing, measures or [], runs, collection)

        return self._collect(rows)

    def leaderboard(
        self, collection: str | None = None, measures: str | Measure | Iterable[str | Measure] | None = None
    ) -> pl.LazyFrame:
        """The last value of every run, the best first, as the measure's direction says.

        Args:
            collection: of one collection; by default of all, each ranked separately.
            measures: of these; by default of all.

        Returns:
            collection measure groups conditions differs rank run_id value n_units n_undefined made_at evaluation_id
            tags.  Runs with the same judgments and conventions have the same number in `conditions`, the newest 1, and
            are ranked together.  `differs` says how the others differ from the newest: judgments, conventions, or
            digests of another kind, which cannot be compared; else it is null.
        """

        def board(listing: Listing) -> pl.LazyFrame:
            names, _ = frames.measures_and_runs(listing, measures, None, collection)
            return frames.leaderboard(listing, collection, names)

        return self._collect(board)

    def findings(
        self,
        name: str | None = None,
        *,
        kind: str | None = None,
        measure: str | None = None,
        collection: str | None = None,
    ) -> pl.LazyFrame:
        """The results of other analyses, row by row, the oldest first: the table `findings` (`docs/store.md`).

        Args:
            name: results that were added with this name.  What no finding has is an `UnknownName`.
            kind: of this kind: "Analysis", "Interleaving" …
            measure: of this measure, metric or parameter.
            collection: of one collection.

        Example:
            >>> import tempfile, ireval_frames as ir
            >>> store = ir.Store(tempfile.mkdtemp())
            >>> test = ir.Experiment(ir.examples.experiment(), baseline="a").analyze("Mean(revenue)")
            >>> _ = store.add(test, name="spring")
            >>> store.findings("spring").select("kind", "measure", "baseline", "run_id", "n").collect().row(0)
            ('Analysis', 'Mean(revenue)', 'a', 'b', 302)
        """
        return self._collect(lambda listing: findings(listing, name, kind, measure, collection))

    def _collect(self, query: Callable[[Listing], pl.LazyFrame]) -> pl.LazyFrame:
        """The rows of a small query, collected now: before a lazy frame is, its files may have been packed."""
        return self._with(lambda listing: query(listing).collect()).lazy()

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
            baseline: the baseline's run.
            run: the other run.
            measure: one or several.
            collection: the collection, if the runs are in several.
            strict: refuse runs that were evaluated with different judgments or conventions.
            options: those of `ir.compare`.

        Raises:
            UnknownName: there is no such run, measure or collection.
            MismatchedTables: judgments or conventions differ, or the runs are in several collections.
        """

        def comparison(listing: Listing) -> Comparison:
            measures, _ = frames.measures_and_runs(listing, measure, [baseline, run], collection)
            return compare_stored(listing, (baseline, run), measures or [], collection, options, strict=strict)

        return self._with(comparison)

    def sql(self, query: str, parameters: Any = None) -> pl.DataFrame:
        """The result of a query in DuckDB's SQL over the tables of the store; it cannot change anything.

        Views are evaluations, runs, inputs, measures, summaries, "values", units, queries, occasions, tags,
        comparisons, bootstraps, gates, findings and last_summaries; macros `latest(tag)`,
        `diff(baseline, run, measure)`, `history(measure)`.

        Args:
            query: one SELECT (also FROM …, WITH …, DESCRIBE, SUMMARIZE).
            parameters: values for `?` or `$name` in it.

        Raises:
            NotDefined: it is not a query.
            InvalidParameter: DuckDB refuses it.

        Example:
            >>> import tempfile, ireval_frames as ir
            >>> store = ir.Store(tempfile.mkdtemp())
            >>> _ = store.add(ir.evaluate(*ir.examples.ranking(), "P@1 RR"), run="bm25")
            >>> store.sql("SELECT run_id, value FROM history(?)", ["P@1"]).rows()
            [('bm25', 1.0)]
        """
        return self._session.run(lambda: self._with(lambda listing: listing), query, parameters)

    def page(
        self,
        folder: str | os.PathLike[str],
        *,
        title: str | None = None,
        page: str | os.PathLike[str] | None = None,
    ) -> Path:
        """Write the store as a page for the browser: leaderboards, histories, values per unit, comparisons, and SQL.

        The folder can be hosted anywhere as it is, or opened with `python -m http.server`.  DuckDB runs in the page;
        it asks no other host for anything.  It holds all tables of the store, also paths of files and command lines,
        but not those of `store.keep`.

        Args:
            folder: the folder, which must not exist; one that was written here before is replaced.
            title: of the page.
            page: the folder of the built page; by default that of the package `ireval_frames_page`, or `build/page` of
                a checkout.

        Returns:
            the folder.

        Raises:
            EngineError: the page is neither installed nor built.
            FileError: the folder holds something else, or cannot be written.
        """
        return write_store_page(self.path, folder, title or self.path.name, page=page)

    def connect(self, *, external: bool = False) -> duckdb.DuckDBPyConnection:
        """A connection to a DuckDB in memory with the tables and macros, as the store is now.

        Its tables are copies in memory and it has no access to files, so that it cannot change the store.

        Args:
            external: views over the files of the store instead of copies, for stores larger than memory.  The
                connection then reads and writes files, including those of the store, and its settings may be changed.
        """
        return self._with(lambda listing: connect(listing, external=external, copied=not external))
