"""Requests for measures of rankings: their inputs, tables and plan."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from ireval_frames import catalog, io
from ireval_frames.columns.schema import RETRIEVED_ONLY
from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import Argument, Hint, NotDefined, listed
from ireval_frames.evaluation.planned import PlannedEvaluation
from ireval_frames.evaluation.request import Request, finals
from ireval_frames.expr import col
from ireval_frames.io import sql as sql_files
from ireval_frames.plan import Plan, Table
from ireval_frames.ranking.checks import PolicyReport
from ireval_frames.ranking.coverage import FIRST_PAGE, coverage, overlap
from ireval_frames.ranking.inputs.facets import reads
from ireval_frames.ranking.inputs.frames import SCANS, Inputs, second_field
from ireval_frames.ranking.inputs.model_parameters import READS
from ireval_frames.ranking.ranked_run import RankedRun
from ireval_frames.ranking.sampled.checks import warn_of_samples
from ireval_frames.ranking.tables import RankingTables
from ireval_frames.ranking.values import final
from ireval_frames.ratios import indicator
from ireval_frames.results import TableQuery

if TYPE_CHECKING:
    from ireval_frames.ranking.subject import Rankings


@dataclass(frozen=True, eq=False)
class RankingRequest(Request):
    """A request for measures of rankings.

    Attributes:
        reads: the further columns of judgments that the measures read.
        modelled: whether measures read a click model.
    """

    subject: Rankings
    policy: RankingPolicy

    reads: frozenset[str] | None = None
    modelled: bool | None = None
    _from_files: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Set what the measures read; a copy with other measures, such as counts, reads the same tables."""
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
        checks = report.checks()
        if inputs.sample is not None:
            judged_only = self.policy.unjudged == "skip"
            of_sample = (engine, inputs.sample, inputs.qrels, self.measures)
            checks.append(lambda: warn_of_samples(*of_sample, judged_only=judged_only))
        return PlannedEvaluation(
            tables.plan,
            tables.units,
            self.measures,
            values,
            dict(zip(inputs.by_aliases, self.by, strict=True)),
            checks,
            lambda: {**report.counts(), **self._rounded(engine, inputs), **self._undefined(engine)},
            inputs.notes,
            ways=tables.ranked_run.ways,
            sums=tables.ranked_run.sums,
            every=tables.all_groups,
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

    def coverage(self, engine: Engine, cutoffs: Sequence[int] = (FIRST_PAGE,)) -> TableQuery:
        """How much of the judgments each run holds, and the judged shares of the first documents."""
        tables, inputs = self.tables_on(engine)
        report = PolicyReport(tables, self.policy, inputs)
        return coverage(report, list(zip(inputs.by_aliases, self.by, strict=True)), cutoffs)

    def checked_tables(self, engine: Engine) -> tuple[RankingTables, list[Callable[[], None]]]:
        """The tables alone, and the checks to run before they are read."""
        tables, inputs = self.tables_on(engine)
        report = PolicyReport(tables, self.policy, inputs)
        groups = [k for k in tables.units.keys if k == "run_id" or k in inputs.by_aliases]
        return tables, [*report.checks(), lambda: overlap(report).check(groups, tables.all_groups)]

    def tables_on(self, engine: Engine) -> tuple[RankingTables, Inputs]:
        """The tables of a plan on an engine, and the inputs."""
        inputs = Inputs(
            self.user_tables,
            self.subject.names,
            self.policy,
            self.by,
            engine,
            self.reads or frozenset(),
            self._from_files if engine.writes_sql else (),
            modelled=bool(self.modelled),
        )
        plan, by = Plan(engine, ordered=self.ordered), (inputs.by_aliases, inputs.by_in)
        further = (inputs.score_rules, inputs.click_model)
        run = RankedRun(
            plan,
            inputs.qrels,
            inputs.run,
            inputs.queries,
            self.policy,
            *by,
            *further,
            unread=inputs.unread_of_run,
            called=inputs.called,
        )
        return RankingTables(run), inputs

    def evaluated(self, engine: Engine) -> dict[str, Frame | None]:
        """The tables as they are evaluated, under our names."""
        _, inputs = self.tables_on(engine)
        model = inputs.click_model
        tables = {"qrels": inputs.qrels, "run": inputs.run, "queries": inputs.queries}
        return tables if model is None else tables | {"click_model": model.frame}

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
        # Counts take the largest grade of several assessors' judgments, where the measures read assessors.
        values = {"assessors": "max"} if "assessor_id" in (self.reads or ()) else {}
        return {column: catalog.parse(text, self.family)(**values) for column, text in named.items()}


def refuse_totals(plan: Plan, policy: RankingPolicy, measures: Sequence[Measure]) -> None:
    """Refuse measures that read judgments of documents that were not retrieved.

    Args:
        plan: the plan with the requests of the measures.
        policy: the conventions in force.
        measures: the measures.

    Raises:
        NotDefined: naming these measures, or the policy.
    """
    why = f"The judgments are those of retrieved documents alone (they have a column {RETRIEVED_ONLY!r}), so "
    if policy.no_relevant != "zero":
        raise NotDefined(
            f"{why}which queries have no relevant ones is unknown, and no_relevant={policy.no_relevant!r} needs it.",
            Hint("Write ", Argument("policy", "no_relevant=zero"), ", or pass all judgments."),
        )
    names = {
        name
        for table in plan.tables.values()
        if _of_judgments(table)
        for request in table.requests.values()
        for name in request.requested_by
    }
    refused = [str(measure) for measure in measures if str(measure) in names]
    if refused:
        raise NotDefined(
            f"{why}how many documents are relevant, and their best order, is unknown; {listed(refused)} "
            f"need{'s' * (len(refused) == 1)} it.",
            "Pass all judgments: of _rank_eval these are in the request. P, RR, Success, DCG, ERR and RBP need only "
            "the retrieved documents.",
        )


def _of_judgments(table: Table) -> bool:
    """Whether a table is made of judgments alone, without a run."""
    if not table.origin.parents:
        return table.name == "judgments"
    return all(_of_judgments(other) for other in table.origin.parents)
