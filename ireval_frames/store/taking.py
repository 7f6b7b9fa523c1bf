"""Taking in what others computed, and the tables themselves, beside evaluations of one's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import polars as pl

from ireval_frames.columns.user_names import columns_named
from ireval_frames.errors import InvalidParameter
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.store import asking, keeping
from ireval_frames.store.adding import Occasion, added
from ireval_frames.store.importing import ImportOptions, imported
from ireval_frames.store.upkeep.names import Tended

Names = str | Iterable[str]


class Taking(Tended):
    """A folder of evaluations that takes in those of other tools, and tables."""

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
        r"""Keep values per unit that another tool computed, beside evaluations of one's own; the id.

        Read are the text of `trec_eval -q` and of `ir_measures --by_query`, JSON of values by measure and query (ranx)
        or by query and measure (pytrec_eval), and tables of a run, a query, a measure and a value (PyTerrier's names
        too), or with a column per measure.  Summaries in these files (`all`) are left out and computed anew.
        `evaluations.source` says whose values they are, `decimals` how they are rounded, `inputs` which file it was.
        Names that the catalog knows (`map`, `ndcg_cut_10`) become its measures, with their direction.

        Args:
            source: a path, a frame or a relation.
            run: the name of the run; by default the one that the file names, or the name of the file.
            collection: what was searched.
            tags: what else there is to say.
            family: that of the measures.
            unit: the column of queries; `qid` too, where it is not there.
            system: the column of runs; `name` too.
            measure: the column of measures.
            value: the column of values.
            by: columns of groups.
            higher_is_better: measures that the catalog does not have, of which more is better.
            lower_is_better: those of which less is better.  Others have no direction, and no rank.
            at: when, with its time zone; now by default.
            who: keep the names of the machine and of the user.
            command: the command line that made it.

        Raises:
            FileError, MalformedFile, MissingColumn, WrongType: the source is at fault.
            DuplicateRows: a unit has several values of a measure.
            UnknownName: there is no such measure to have a direction.
            InvalidParameter, InvalidValue: an argument or a value is not what it should be.

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
        better = [
            columns_named(n, a)
            for n, a in ((higher_is_better, "higher_is_better"), (lower_is_better, "lower_is_better"))
        ]
        rows = imported(source, ImportOptions(columns, columns_named(by, "by"), run, family, *better))
        self._with(lambda listing: added(self.path, listing, rows, occasion))
        return rows.id

    def keep(self, qrels: Any, runs: Any = None, *, only: Names = ()) -> pl.DataFrame:
        """Keep judgments and runs themselves, so that other measures can be computed of them later.

        Args:
            qrels: the judgments, as `ir.evaluate` takes them; or an evaluation of any family, whose tables are kept as
                its measures read them.
            runs: one or several runs; none beside an evaluation.
            only: the names of some of the tables; by default all are kept.

        Returns:
            A row per table that is kept, each run one of its own: name, run_id, n_rows, digest, digest_kind.

        Raises:
            InvalidParameter: there are no runs, or some beside an evaluation.
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
        whole = isinstance(qrels, Evaluation)
        if whole == (runs is not None):
            raise InvalidParameter(
                "An evaluation has its runs." if whole else "There are no runs beside the judgments.",
                "Write store.keep(ev), or store.keep(qrels, runs).",
            )
        if not whole:
            from ireval_frames.ranking import Rankings

            qrels = Rankings(qrels, runs).evaluate("NumRet")
        return keeping.kept(self.path, qrels, asking.names_of(only) or ())

    def kept(self, digest: str) -> pl.LazyFrame:
        """A table that was kept, by its digest in `inputs` or `runs`.

        Raises:
            UnknownName: it is not kept.
        """
        return keeping.table_of(self.path, digest)
