"""Requests for measures of rankings: their inputs, tables and plan."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import polars as pl

from ireval_frames import catalog, io
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.evaluation.planned import PlannedEvaluation
from ireval_frames.evaluation.request import Request, finals
from ireval_frames.expr import col
from ireval_frames.io import sql as sql_files
from ireval_frames.plan import Plan
from ireval_frames.ranking.checks import PolicyReport
from ireval_frames.ranking.coverage import coverage, overlap
from ireval_frames.ranking.inputs.facets import reads
from ireval_frames.ranking.inputs.frames import SCANS, Inputs, second_field
from ireval_frames.ranking.inputs.model_parameters import READS
from ireval_frames.ranking.ranked_run import RankedRun
from ireval_frames.ranking.tables import RankingTables
from ireval_frames.ranking.totals import refuse_totals
from ireval_frames.ranking.values import final
from ireval_frames.ratios import indicator
from ireval_frames.results import TableQuery


@dataclass(frozen=True, eq=False)
class RankingRequest(Request):
    """A request for measures of rankings.

    Attributes:
        reads: the further columns of judgments that measures read; those of the measures at first.
        modelled: whether measures read a click model.
    """

    reads: frozenset[str] | None = None
    modelled: bool | None = None
    _from_files: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Other measures of the same request, such as those that count, read the same tables."""
        if self.reads is None:
            object.__setattr__(self, "reads", reads(self.measures))
            modelled = any(READS in measure.definition.reads for measure in self.measures)
            object.__setattr__(self, "modelled", modelled)

    def plan(self, engine: Engine) -> PlannedEvaluation:
        """The plan on an engine."""
        tables, inputs = self.tables_on(engine)
        report = PolicyReport(tables, self.policy, inputs)
        values = finals(tables.plan, self.measures, lambda measure: final(measure, tables))
        if inputs.retrieved_only:
            refuse_totals(tables.plan, self.policy, self.measures)
        return PlannedEvaluation(
            tables.plan,
            tables.units,
            self.measures,
            values,
            dict(zip(inputs.by_aliases, self.by, strict=True)),
            report.checks(),
            lambda: {**report.counts(), **self._rounded(engine, inputs), **self._undefined(engine)},
            inputs.notes,
            ways=tables.ranked_run.ways,
            sums=tables.ranked_run.sums,
            every=tables.every_group,
            overlap=functools.cache(lambda: overlap(report)),
        )

    def _rounded(self, engine: Engine, inputs: Inputs) -> dict[str, str]:
        """How many scores a 32-bit float cannot hold."""
        if inputs.before_rounding is None:
            return {"precision": "0 scores rounded"}
        score = col("score")
        changed = indicator(score.cast(pl.Float32).cast(pl.Float64) != score).sum()
        return {
            "precision": f"{engine.collect(inputs.before_rounding.select(n=changed)).item() or 0:.0f} scores rounded"
        }

    def _undefined(self, engine: Engine) -> dict[str, str]:
        """How many values have no denominator."""
        bare = dataclasses.replace(self.policy, undefined=None, no_relevant="zero")
        planned = dataclasses.replace(self, policy=bare).plan(engine)
        values = engine.collect(planned.units().frame).select(pl.selectors.matches(r"^m\d+$"))
        return {"undefined": f"{sum(values.null_count().row(0))} values"}

    def coverage(self, engine: Engine) -> TableQuery:
        """How much of the judgments each run holds."""
        tables, inputs = self.tables_on(engine)
        report = PolicyReport(tables, self.policy, inputs)
        return coverage(report, list(zip(inputs.by_aliases, self.by, strict=True)))

    def checked_tables(self, engine: Engine) -> tuple[RankingTables, list[Callable[[], None]]]:
        """The tables alone, and the checks to run before they are read."""
        tables, inputs = self.tables_on(engine)
        report = PolicyReport(tables, self.policy, inputs)
        groups = [k for k in tables.units.keys if k == "run_id" or k in inputs.by_aliases]
        return tables, [*report.checks(), lambda: overlap(report).check(groups, tables.every_group)]

    def tables_on(self, engine: Engine) -> tuple[RankingTables, Inputs]:
        """The tables of a plan on an engine, and those handed in."""
        inputs = Inputs(
            self.given,
            self.subject.names,
            self.policy,
            self.by,
            engine,
            self.reads or frozenset(),
            self._from_files if engine.writes_sql else (),
            modelled=bool(self.modelled),
        )
        plan, by = Plan(engine, ordered=self.ordered), (inputs.by_aliases, inputs.by_in)
        more = (inputs.score_rules, inputs.click_model)
        run = RankedRun(
            plan, inputs.qrels, inputs.run, inputs.queries, self.policy, *by, *more, others=inputs.others_of_run
        )
        return RankingTables(run), inputs

    def evaluated(self, engine: Engine) -> dict[str, Frame | None]:
        """The tables as they are evaluated, under our names."""
        _, inputs = self.tables_on(engine)
        model = inputs.click_model
        named = {"qrels": inputs.qrels, "run": inputs.run, "queries": inputs.queries}
        # Other evaluations read none, and are told of none.
        return named if model is None else named | {"click_model": model.frame}

    def file(self, name: str, path: Any) -> tuple[str, Mapping[str, Any]]:
        """The SELECT that reads a file as that table, and its columns."""
        if name == "click_model":
            return sql_files.any_table(path, io.scan_table(path).collect_schema())
        return self._read(name, path)  # type: ignore[arg-type]  # the other tables

    def _read(self, name: Literal["run", "qrels", "queries"], path: Any) -> tuple[str, pl.Schema]:
        options: dict[str, Any] = {"rank": True} if name == "run" and self.policy.ties == "rank" else {}
        options |= second_field(self.reads or frozenset()) if name == "qrels" else {}
        self._from_files.add(name)
        columns = self.subject.names.of(name)
        text = sql_files.select(io.describe(path, name, columns=columns), name, **options)
        return text, SCANS[name](path, columns=columns, **options).collect_schema()

    def count_measures(self) -> dict[str, Measure]:
        """What `per_unit(counts=True)` adds."""
        named = {
            "n_retrieved": "NumRet",
            "n_judged": "NumRet(rel=0)",
            "n_relevant": "NumRel",
            "n_relevant_retrieved": "NumRelRet",
        }
        # Of several assessors' judgments the largest grade counts here, where the measures asked for read assessors at
        # all.
        values = {"assessors": "max"} if "assessor_id" in (self.reads or ()) else {}
        return {column: catalog.parse(text, self.family)(**values) for column, text in named.items()}
