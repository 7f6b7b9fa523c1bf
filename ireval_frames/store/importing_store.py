"""Values of other tools, and the evaluated tables themselves, in a store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import polars as pl

from ireval_frames.columns.user_names import columns_named
from ireval_frames.errors import InvalidParameter
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.store import frames, input_tables
from ireval_frames.store.adding import Occasion, add_rows
from ireval_frames.store.folder_store import FolderStore
from ireval_frames.store.importing import ImportOptions, import_rows

Names = str | Iterable[str]


class ImportingStore(FolderStore):
    """A store that imports values of other tools, and keeps evaluated tables."""

    def import_values(
        self,
        source: Any,
        *,
        run: str | None = None,
        collection: str = "",
        tags: Mapping[str, Any] | None = None,
        family: str = "ranking",
        unit: str = "query_id",
        system: str = "run_id",
        measure: str = "measure",
        value: str = "value",
        by: Names = (),
        higher_is_better: Names = (),
        lower_is_better: Names = (),
        at: datetime | None = None,
        who: bool = False,
        command: str | None = None,
    ) -> str:
        r"""Store values per unit that another tool computed; return the id.

        It reads the text of `trec_eval -q` and of `ir_measures --by_query`, JSON of values by measure and query (ranx)
        or by query and measure (pytrec_eval), and tables with a run, a query, a measure and a value (also by
        PyTerrier's names), or with a column per measure.  Summaries in these files (`all`) are left out and computed
        from the values.  `evaluations.source` has the tool, `decimals` the rounding, `inputs` the file.  Names that
        the catalog knows (`map`, `ndcg_cut_10`) become its measures, with their direction.

        Args:
            source: a path, a frame or a relation.
            run: the name of the run; by default that in the file, or the name of the file.
            collection: the name of the collection.
            tags: further information.
            family: that of the measures.
            unit: the column of queries; or `qid`, if there is no such column.
            system: the column of runs; or `name`.
            measure: the column of measures.
            value: the column of values.
            by: columns of groups.
            higher_is_better: measures that the catalog does not have, of which more is better.
            lower_is_better: those of which less is better.  Others have no direction, and no rank.
            at: the time, with its time zone; now by default.
            who: store the names of the machine and of the user.
            command: the command line.

        Raises:
            FileError, MalformedFile, MissingColumn, WrongType: the source is at fault.
            DuplicateRows: a unit has several values of a measure.
            UnknownName: a measure that is to have a direction has no values.
            InvalidParameter, InvalidValue: an argument or a value is not allowed.

        Example:
            >>> import pathlib, tempfile, ireval_frames as ir
            >>> path = pathlib.Path(tempfile.mkdtemp(), "bm25.eval")
            >>> _ = path.write_text("map\tq1\t0.5000\nmap\tq2\t0.2500\nmap\tall\t0.3750\n")
            >>> store = ir.Store(tempfile.mkdtemp())
            >>> _ = store.import_values(path)
            >>> store.leaderboard().select("run_id", "measure", "value").collect().row(0)
            ('bm25', 'AP', 0.375)
            >>> store.sql("SELECT source, decimals FROM evaluations").row(0)
            ('trec_eval', 2)
        """
        occasion = Occasion.of(collection=collection, tags=tags, at=at, who=who, command=command)
        columns = {"unit": unit, "system": system, "measure": measure, "value": value}
        higher = columns_named(higher_is_better, "higher_is_better")
        lower = columns_named(lower_is_better, "lower_is_better")
        rows = import_rows(source, ImportOptions(columns, columns_named(by, "by"), run, family, higher, lower))
        self._with(lambda listing: add_rows(self.path, listing, rows, occasion))
        return rows.id

    def keep(self, qrels: Any, runs: Any = None, *, only: Names = ()) -> pl.DataFrame:
        """Store judgments and runs themselves, so that other measures can be computed later.

        Args:
            qrels: the judgments, as `ir.evaluate` takes them; or an evaluation of any family, whose tables are stored
                as its measures read them.
            runs: one or several runs; None with an evaluation.
            only: the names of some of the tables; by default all are stored.

        Returns:
            A row per stored table, where each run is a table: name, run_id, n_rows, digest, digest_kind.

        Raises:
            InvalidParameter: runs are missing, or given with an evaluation.
            UnknownName: there is no such table.
            DataError: the tables are at fault.
            FileError: the disk refuses.

        Example:
            >>> import tempfile, ireval_frames as ir
            >>> store = ir.Store(tempfile.mkdtemp())
            >>> digests = store.keep(*ir.examples.ranking())["digest"]
            >>> ir.evaluate(*map(store.kept, digests), "RR").summary()["value"].item()
            1.0
        """
        evaluated = isinstance(qrels, Evaluation)
        if evaluated == (runs is not None):
            raise InvalidParameter(
                "An evaluation has its runs." if evaluated else "There are no runs beside the judgments.",
                "Write store.keep(ev), or store.keep(qrels, runs).",
            )
        if not evaluated:
            from ireval_frames.ranking import Rankings

            qrels = Rankings(qrels, runs).evaluate("NumRet")
        return input_tables.add_tables(self.path, qrels, frames.names_of(only) or ())

    def kept(self, digest: str) -> pl.LazyFrame:
        """A table that was stored with `keep`, by its digest in `inputs` or `runs`.

        Raises:
            UnknownName: it was not.
        """
        return input_tables.find_table(self.path, digest)
