"""Pools in which the judgments so far decide which document is judged next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
import polars as pl

from ireval_frames.columns.schema import QRELS
from ireval_frames.columns.user_names import Columns, TableNames
from ireval_frames.displayed import Displayed, read
from ireval_frames.engines.inputs.frames import polars_frame
from ireval_frames.engines.opening import open_engine
from ireval_frames.errors import Argument, DuplicateRows, Hint, InvalidValue, MismatchedTables, MissingColumn, listed
from ireval_frames.interleaving.uniforms import Uniforms
from ireval_frames.io.reading import TABLE
from ireval_frames.items.inputs import same_kinds
from ireval_frames.judgments import KEYS, read_judgments
from ireval_frames.overlap import COMPARED_IDS, Side, nothing_in_common
from ireval_frames.parameters import number
from ireval_frames.pools.candidates import Candidates
from ireval_frames.pools.choosing import CHOICES, Draw
from ireval_frames.pools.lists import Floats, QueryLists
from ireval_frames.pools.options import PoolOptions
from ireval_frames.ranking.inputs.rules import duplicate_judgments

OTHERS = number(None, "the grade of documents that the judgments do not have", 0.0, example=0)
COLUMNS = (*KEYS, "order", "run_id", "relevance")


class AdaptivePool(Displayed):
    """A pool that is judged step by step; `ir.pool` makes it.

    `next(pool)` gives the next documents to judge, `judge` takes their grades, and `table()` is all of it as a table,
    which `ir.pool(…, resume=table)` reads again.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> run = pl.DataFrame({"query_id": ["q"] * 3, "doc_id": ["a", "b", "c"], "rank": [1, 2, 3]})
        >>> pool = ir.pool(run, "mtf")
        >>> first = next(pool)
        >>> first["doc_id"].to_list()
        ['a']
        >>> pool.judge(first.select("query_id", "doc_id", relevance=1))
        1
        >>> next(pool)["doc_id"].to_list()
        ['b']
    """

    def __init__(self, candidates: Candidates, options: PoolOptions, table: Any = None) -> None:
        self._options = options
        engine, ranked = candidates.engine, candidates.ranked
        rows = ranked.rows().select("run_id", *KEYS, "rank")
        ranked.check()
        listed_rows = (
            engine.collect(rows)
            .sort("query_id", "run_id", "rank")
            .with_columns(
                document=(pl.col("doc_id").rank("dense").over("query_id") - 1).cast(pl.Int64),
                run=pl.col("run_id").rank("dense").cast(pl.Int64) - 1,
            )
        )
        self._runs = listed_rows["run_id"].unique().sort()
        self._documents = (
            listed_rows.group_by(*KEYS, "document")
            .agg(n_runs=pl.len().cast(pl.Int64), best_rank=pl.col("rank").min())
            .sort("query_id", "document")
            .select(*KEYS, "n_runs", "best_rank")
        )
        n = self._documents.height
        self._grade, self._order, self._chosen = np.full(n, np.nan), np.zeros(n, np.int64), np.full(n, -1)
        self._draws = Uniforms(self._documents["query_id"].unique(maintain_order=True), options.seed)
        self._lists = list(self._by_query(listed_rows))
        if candidates.judged is not None:
            self._set_grades(self._grades_in(engine.collect(candidates.judged)))
        if table is not None:
            self._resume(polars_frame(table, "pool", TABLE))

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Copies of arrays are no parts of each other any more."""
        self.__dict__.update(state)
        begin = 0
        for lists in self._lists:
            own = slice(begin, begin := begin + len(lists.grade))
            lists.grade, lists.order, lists.chosen = self._grade[own], self._order[own], self._chosen[own]

    def _by_query(self, rows: pl.DataFrame) -> Iterator[QueryLists]:
        """The lists of each query, whose grades and places are parts of the pool's."""
        begin = 0
        for query, part in enumerate(rows.partition_by("query_id", maintain_order=True)):
            run, rank, document = (part[c].to_numpy() for c in ("run", "rank", "document"))
            own = slice(begin, begin := begin + int(document.max()) + 1)
            priority = self._draws.of(query, 0, len(self._runs))
            yield QueryLists(run, rank, document, priority, self._grade[own], self._order[own], self._chosen[own])

    # ---- what comes next

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> pl.DataFrame:
        """query_id doc_id n_runs best_rank order run_id: the next documents to judge, at most `batch` of each query.

        They follow from the grades so far.  Documents that wait for their grade do not come again.

        Raises:
            StopIteration: nothing is left, or the budget is used up.
        """
        choose, budget = CHOICES[self._options.method], self._options.budget
        total = self._options.total
        left = len(self._grade) if total is None else total - int((self._order > 0).sum())
        before = self._order > 0
        for _ in range(self._options.batch):
            for query, lists in enumerate(self._lists):
                if left == 0 or (budget is not None and lists.handed_out >= budget):
                    continue
                choice = choose(lists, self._options, self._draw(query))
                if choice is not None:
                    lists.hand_out(*choice)
                    left -= 1
        new = (self._order > 0) & ~before
        if not new.any():
            raise StopIteration
        return self._table(new).drop("relevance")

    def _draw(self, query: int) -> Draw:
        n = len(self._runs)
        return lambda place: self._draws.of(query, place * n, n)

    # ---- judgments

    def judge(self, qrels: Any, *, others: float | None = None, columns: Columns | None = None) -> int:
        """Take the grades of documents that were handed out.

        Args:
            qrels: query_id, doc_id and relevance, as a frame or a file; rows of other documents, of negative grades and
                without a grade are not read.  A new grade takes the place of an old one.
            others: the grade of all documents that wait and are not in `qrels`; without it they wait on.
            columns: the table's own names of columns.

        Returns:
            How many documents got a grade, or another one.

        Raises:
            DuplicateRows: a document has several grades.
            NothingInCommon: documents wait, and none of them is in the table.
        """
        others = OTHERS.check("others", others)
        engine = open_engine(None, "polars", None)
        judgments = read_judgments(qrels, engine, TableNames(columns, {"qrels": (QRELS,)}))
        waiting = engine.from_polars(self._documents.select(*KEYS))
        grades = engine.collect(same_kinds({"pool": waiting, "qrels": judgments}, {c: c for c in KEYS})[1])
        several = grades.group_by(*KEYS, maintain_order=True).agg(n=pl.len()).filter(pl.col("n") > 1)
        if several.height:
            raise duplicate_judgments(several.sort(KEYS).head(10), several.height)
        handed_out = self._order > 0
        waits = handed_out & np.isnan(self._grade)
        new = np.where(handed_out, self._grades_in(grades), np.nan)
        if others is not None:
            return self._set_grades(np.where(waits & np.isnan(new), others, new))
        if np.isnan(new).all() and waits.any() and grades.height:
            one, other = (
                Side(name, "doc_id", rows["doc_id"].head(COMPARED_IDS).to_list(), rows.height)
                for name, rows in (("pool", self._documents.filter(waits)), ("qrels", grades))
            )
            raise nothing_in_common("No document that waits for its grade is in the judgments", one, other)
        return self._set_grades(new)

    def _grades_in(self, grades: pl.DataFrame) -> Floats:
        """The grade of each document of the pool, of several the largest; NaN where there is none."""
        largest = grades.group_by(*KEYS, maintain_order=True).agg(pl.col("relevance").max())
        rows = self._documents.select(*KEYS).join(largest, on=KEYS, how="left", maintain_order="left")
        out: Floats = rows["relevance"].cast(pl.Float64).fill_null(float("nan")).to_numpy()
        return out

    def _set_grades(self, grades: Floats) -> int:
        """Set the grades that are no NaN; how many of them are new."""
        new = ~np.isnan(grades) & (grades != self._grade)
        self._grade[new] = grades[new]
        return int(new.sum())

    # ---- as a table

    def table(self) -> pl.DataFrame:
        """query_id doc_id n_runs best_rank order run_id relevance: all that was handed out, in the order of each query.

        `run_id` is the run whose list it was taken from, null for hedge; `relevance` is null where a grade is missing.
        With this table `ir.pool(…, resume=table)` goes on; without nulls it is a table of judgments.
        """
        return self._table(self._order > 0)

    def _table(self, rows: Any) -> pl.DataFrame:
        chosen = pl.Series(self._chosen[rows])
        return (
            self._documents.filter(rows)
            .with_columns(
                order=pl.Series(self._order[rows]),
                run_id=self._runs.gather(chosen.set(chosen < 0, None)),
                relevance=_as_integers(pl.Series(self._grade[rows]).fill_nan(None)),
            )
            .sort("query_id", "order")
        )

    def _resume(self, table: pl.DataFrame) -> None:
        """Go on from a table of documents that were handed out."""
        missing = [c for c in COLUMNS if c not in table.columns]
        if missing:
            raise MissingColumn(
                f"The pool table has no column {missing[0]!r} (it has: {listed(table.columns, 20)}).",
                "Resume from the table of an adaptive pool: pool.table()",
            )
        types: dict[str, Any] = {
            **{c: self._documents.schema[c] for c in KEYS},
            "order": pl.Int64,
            "run_id": self._runs.dtype,
        }
        try:
            rows = table.select(pl.col(c).cast(t) for c, t in {**types, "relevance": pl.Float64}.items())
        except pl.exceptions.PolarsError as error:
            raise InvalidValue(
                f"The pool table cannot be read: {error}.", "Pass the table as pool.table() gave it."
            ) from None
        at = self._documents.select(*KEYS).with_row_index("at").with_columns(pl.col("at").cast(pl.Int64))
        runs = pl.DataFrame({"run_id": self._runs}).with_row_index("run").with_columns(pl.col("run").cast(pl.Int64))
        rows = rows.join(at, on=KEYS, how="left").join(runs, on="run_id", how="left")
        lost = rows.filter(pl.col("at").is_null() | (pl.col("run").is_null() & pl.col("run_id").is_not_null()))
        if lost.height:
            raise MismatchedTables(
                f"{lost.height} documents of the pool table are not in the runs down to rank {self._options.depth}: "
                f"{listed(map(repr, lost['doc_id']), 3)}.",
                Hint("Resume with the runs and the depth that the pool had, such as ", Argument("depth", 100), "."),
            )
        if rows.select("query_id", "order").is_duplicated().any() or rows["at"].is_duplicated().any():
            raise DuplicateRows(
                "A document, or a place in the order, is twice in the pool table.", "Leave one of each."
            )
        where = rows["at"].to_numpy()
        self._order[where] = rows["order"].to_numpy()
        self._chosen[where] = rows["run"].fill_null(-1).to_numpy()
        grade = rows["relevance"].fill_null(float("nan")).to_numpy()
        # A grade may also be among the judgments from before.
        self._grade[where] = np.where(grade >= 0, grade, self._grade[where])

    # ---- shown

    def _displays(self) -> Sequence[pl.DataFrame]:
        return [self.table()]

    def __str__(self) -> str:
        return read(*self._displays())

    def __repr__(self) -> str:
        handed_out = self._order > 0
        n, waiting = int(handed_out.sum()), int((handed_out & np.isnan(self._grade)).sum())
        what = f"{n} of {len(self._grade)} documents handed out, {waiting} of them wait for their grade"
        return f"AdaptivePool({self._options.method!r}: {what})"


def _as_integers(grades: pl.Series) -> pl.Series:
    """Grades as integers, which files of judgments have, unless one is a fraction."""
    integers = grades.cast(pl.Int64)
    return integers if (integers == grades).all() else grades
