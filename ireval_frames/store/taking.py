"""Taking in what others computed: values per unit, beside evaluations of one's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from ireval_frames.names import columns_named
from ireval_frames.store.adding import Occasion, added
from ireval_frames.store.importing import Asked, imported
from ireval_frames.store.tended import Tended

Names = str | Iterable[str]


class Taking(Tended):
    """A folder of evaluations that takes in those of other tools."""

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
        rows = imported(source, Asked(columns, columns_named(by, "by"), run, family, *better))
        self._with(lambda listing: added(self.path, listing, rows, occasion))
        return rows.id
