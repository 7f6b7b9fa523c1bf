"""`ir.Store`: results kept in a folder of Parquet files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.displayed import Displayed
from ireval_frames.errors import IrevalError
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.store import asking, comparing, outcomes, querying
from ireval_frames.store.adding import Occasion, added, query_table, texts
from ireval_frames.store.evaluations import rows_of
from ireval_frames.store.findings import findings
from ireval_frames.store.folder.files import Listing
from ireval_frames.store.tables import TABLES
from ireval_frames.store.taking import Taking

if TYPE_CHECKING:
    import duckdb

    from ireval_frames.comparison.comparison import Comparison
    from ireval_frames.gating.result import Gate
    from ireval_frames.resampling.result import Bootstrap

Names = str | Iterable[str]


class Store(Taking, Displayed):
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
        super().__init__(path, create=create)
        self._queried = querying.Queried()

    def _displays(self) -> Sequence[pl.DataFrame | str]:
        """Where it is, and its runs, the newest first."""
        try:
            rows = self.runs().select("collection", "run_id", "made_at", "n_rows", "evaluation_id", "tags").collect()
        except IrevalError as error:
            return [repr(self), str(error)]
        return [repr(self), rows.sort("made_at", descending=True, maintain_order=True)]

    # ---- keeping

    def add(
        self,
        kept: Evaluation | Comparison | Bootstrap | Gate | Any,
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
        """Keep an evaluation, or what a comparison, a bootstrap, a gate or any other analysis found; its id.

        The id follows from what was evaluated (digests of the tables), the measures and the conventions.  Adding the
        same again under the same names changes nothing; under others it is one more occasion.

        Args:
            kept: an evaluation of any family; the result of `ir.compare`, `bootstrap` or `ir.gate`; or any other one
                that has a table: an analysed experiment, an interleaving test, a counterfactual value, a fitted click
                model, a reproduction, a jackknife, aggregated ratings; or a small table under a name.
            collection: what was searched, in your words; leaderboards and histories are of a collection.
            tags: what else there is to say: `{"model": "bm25", "k1": 1.2}`.
            queries: a table of query_id and further columns; by default that of the evaluation.
            run: the name of the run, where the evaluation has no column of runs.
            at: when, with its time zone; now by default.  With it, each time is an occasion of its own.
            who: keep the names of the machine and of the user.
            digest: "fast", or "portable": the same on every engine, also for more than 20,000 rows, which are sorted.
            command: the command line that made it.
            name: of the other results: what it is called, such as "spring test"; `findings` asks for it.

        Raises:
            InvalidParameter: an argument is not what it should be.
            WrongType: a table holds what is not kept.
            NotDefined: the evaluation does not know its tables.
            FileError: the disk refuses; then nothing of it is seen.
            DataError: the data of the evaluation are at fault.
        """
        occasion = Occasion.of(collection=collection, tags=tags, at=at, who=who, command=command)
        if not isinstance(kept, Evaluation):
            texts("name", name, "spring test")
            return outcomes.kept(self.path, kept, occasion, run=run, name=name)
        querying.one_of("digest", digest, ("fast", "portable"))
        if run is not None:
            texts("run", run, "bm25")
        table = query_table(kept, queries)
        rows = rows_of(kept, run=run, queries=table, portable=digest == "portable")
        self._with(lambda listing: added(self.path, listing, rows, occasion))
        return rows.id

    # ---- asking

    def table(self, name: str, *, evaluations: Names | None = None) -> pl.LazyFrame:
        """The rows of a table of the store as a lazy frame: evaluations, runs, values … (`docs/store.md`).

        Args:
            name: the table.
            evaluations: those of these ids only; no other files are read.

        Raises:
            UnknownName: there is no such table.
        """
        querying.one_of("table", name, TABLES)
        ids = asking.names_of(evaluations)
        return self._with(lambda listing: listing.scan(name) if ids is None else asking.of(listing, name, ids))

    def evaluations(self) -> pl.LazyFrame:
        """A row per evaluation."""
        return self.table("evaluations")

    def runs(self, collection: str | None = None) -> pl.LazyFrame:
        """A row per collection, evaluation and run, with the digest of the run and the tags of the last occasion.

        Runs of one digest are the same under several names; a name with several digests is of a run that changed.
        """
        return self._now(lambda listing: asking.runs(listing, collection))

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
            measures, wanted = asking.asked(listing, measure, runs, collection)
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
            measures, runs = asking.asked(listing, measure, run, collection)
            return asking.history(listing, measures or [], runs, collection)

        return self._now(found)

    def leaderboard(
        self, collection: str | None = None, measures: str | Measure | Iterable[str | Measure] | None = None
    ) -> pl.LazyFrame:
        """The last value of every run, the best first, as the measure's direction says.

        Args:
            collection: of one collection; by default of all, each ranked apart.
            measures: of these; by default of all.

        Returns:
            collection measure groups terms differs rank run_id value n_units n_undefined made_at evaluation_id tags.
            Runs with the same judgments and conventions have the same number in `terms`, the newest 1, and are ranked
            together.  `differs` says in what the others differ from the newest: judgments, conventions, or that digests
            are of another kind and cannot tell; else it is null.
        """

        def found(listing: Listing) -> pl.LazyFrame:
            names, _ = asking.asked(listing, measures, None, collection)
            return asking.leaderboard(listing, collection, names)

        return self._now(found)

    def findings(
        self,
        name: str | None = None,
        *,
        kind: str | None = None,
        measure: str | None = None,
        collection: str | None = None,
    ) -> pl.LazyFrame:
        """What other analyses found, row by row, the oldest first: the table `findings` (`docs/store.md`).

        Args:
            name: what was added under this name.
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
        return self._now(lambda listing: findings(listing, name, kind, measure, collection))

    def _now(self, found: Callable[[Listing], pl.LazyFrame]) -> pl.LazyFrame:
        """Few rows, read at once: until a lazy frame is collected, its files may have been packed."""
        return self._with(lambda listing: found(listing).collect()).lazy()

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
            measures, _ = asking.asked(listing, measure, [baseline, run], collection)
            return comparing.compared(listing, (baseline, run), measures or [], collection, options, strict=strict)

        return self._with(found)

    def sql(self, query: str, parameters: Any = None) -> pl.DataFrame:
        """The answer to a query in DuckDB's SQL over the tables of the store; it can change nothing.

        Views are evaluations, runs, inputs, measures, summaries, "values", units, queries, occasions, tags,
        comparisons, bootstraps, gates, findings and last_summaries; macros `latest(tag)`,
        `diff(baseline, run, measure)`, `history(measure)`.

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
        """A connection to a DuckDB in memory with the tables and macros, as the store is now.

        Its tables are copies in memory and it reaches no file, so nothing that it is told changes the store.

        Args:
            external: views over the files of the store instead of copies, for stores that memory does not hold.  The
                connection then reads and writes files, those of the store too, and its settings may be changed.
        """
        return self._with(lambda listing: querying.connected(listing, external=external, copied=not external))
