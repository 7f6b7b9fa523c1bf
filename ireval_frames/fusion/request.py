"""What is fused, and how: the plan of a fusion on any engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from ireval_frames import io
from ireval_frames.columns.schema import QRELS, RUN
from ireval_frames.columns.user_names import Columns, TableNames
from ireval_frames.engines.base import Engine, Ranking
from ireval_frames.expr import col, lit
from ireval_frames.fusion.arguments import Learned
from ireval_frames.fusion.checks import checks_of
from ireval_frames.fusion.combination import scored
from ireval_frames.fusion.learned import learn, scored_by_learned
from ireval_frames.fusion.lists import Lists
from ireval_frames.fusion.options import AVERAGE, FusionOptions
from ireval_frames.fusion.training import training
from ireval_frames.fusion.weights import fitted
from ireval_frames.io import sql as sql_files
from ireval_frames.judgments import KEYS
from ireval_frames.plan import Plan
from ireval_frames.results import TableQuery

COLUMNS = (*KEYS, "score", "rank", "run_id")


@dataclass(frozen=True, eq=False)
class FusionRequest:
    """Runs, and how they are fused.

    Attributes:
        tables: those of the runs.
        options: how they are fused.
        engine: where they are.
        columns: the user's names of columns.
        qrels: judgments to learn from, or None.
        run_id: the name of the fused run.
        sizes: run_id, query_id, n: the lists, read at the first call.
        names: those of the runs, once they are known.
        weights: of each run, where they are stated.
        learned: what judgments taught.
        left_out: a run of the tables that is not fused.
    """

    tables: Mapping[str, Any] | list[Any]
    options: FusionOptions
    engine: Engine
    columns: Columns | None
    qrels: Any
    run_id: str
    sizes: Callable[[], pl.DataFrame] = pl.DataFrame
    names: tuple[str, ...] = ()
    weights: Mapping[str, float] | None = None
    learned: Learned | None = None
    left_out: str | None = None

    def lists(self, engine: Engine) -> Lists:
        """The lists on an engine."""
        user_names = self.user_names()
        lists = self._lists(engine, user_names)
        if self.qrels is None:
            user_names.check_used()
        return lists

    def _lists(self, engine: Engine, user_names: TableNames) -> Lists:
        return Lists(self.tables, engine, self.options, user_names.of("run"), self.names, self.left_out)

    def user_names(self) -> TableNames:
        """The user's names of columns, of all tables."""
        return TableNames(self.columns, {"run": (RUN,), "qrels": (QRELS,)})

    def trained(self) -> FusionRequest:
        """With what judgments teach, where there are some."""
        if self.qrels is None:
            return self
        user_names = self.user_names()
        lists = self._lists(self.engine, user_names)
        taught = training(lists, self.qrels, user_names, self.options)
        rows = learn(taught) if self.options.learns else fitted(lists, self.options, taught)
        return replace(self, learned=Learned(rows, taught.folds))

    def without(self, run: str) -> FusionRequest:
        """The same without one of the runs, trained again."""
        names = tuple(name for name in self.names if name != run)
        weights = None if self.weights is None else {n: self.weights[n] for n in names}
        return replace(
            self,
            names=names,
            weights=weights,
            learned=None,
            left_out=run,
            sizes=lambda: self.sizes().filter(pl.col("run_id") != run),
        ).trained()

    def query(self, engine: Engine) -> TableQuery:
        """The fused run in its order."""
        lists, options, learned = self.lists(engine), self.options, self.learned
        if learned is not None and options.learns:
            rows = scored_by_learned(lists, options, learned.rows, learned.folds)
        elif learned is not None:
            rows = scored(lists, options, learned.weights(lists.names), learned.folds)
        else:
            weights = None if self.weights is None else [lit(self.weights[name]) for name in lists.names]
            rows = scored(lists, options, weights, None)
        descending = options.ties in ("trec_eval", AVERAGE)
        order = Ranking(("query_id",), (("score", True), ("doc_id", descending)), unique=False, depth=options.top)
        ranked = engine.ranked_in_order(engine.stage(rows, "fused"), order)
        out = ranked.select(*KEYS, "score", rank=col("rank").cast(pl.Int64), run_id=lit(self.run_id))
        by = () if engine.ordered_rows else ("query_id", "rank")
        return TableQuery(Plan(engine), out, by, COLUMNS, checks_of(lists, options, self.sizes))

    def file(self, table: str, path: Any) -> tuple[str, Mapping[str, Any]]:
        """The SELECT that reads a file of runs, and its columns."""
        del table
        options: dict[str, Any] = {"rank": True} if self.options.ties == "rank" else {}
        own = self.user_names().of("run")
        text = sql_files.select(io.describe(path, "run", columns=own), "run", **options)
        return text, io.scan_run(path, columns=own, **options).collect_schema()
