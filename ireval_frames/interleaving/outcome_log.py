"""The log of an interleaving test under our names: the columns that are read, and its tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import polars as pl

from ireval_frames.clicks.checks import check, known
from ireval_frames.clicks.subject import Impressions
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.row_checks import run_checks
from ireval_frames.errors import Argument, Code, Hint, MismatchedTables, MissingColumn, NotDefined, listed
from ireval_frames.expr import col, when
from ireval_frames.interleaving.options import OutcomeOptions
from ireval_frames.interleaving.outcome_tables import OutcomeTables
from ireval_frames.plan import Plan

OF_UNITS = {"query": "query_id", "user": "user_id"}


def columns_of(log: Impressions) -> list[str]:
    """The columns of a log, under the user's names."""
    return list(log.inputs(()).frame.columns)


def runs_of(log: Impressions, method: str) -> list[str]:
    """The rankings named by the columns of a log, or by its teams."""
    columns, start = columns_of(log), "credit_" if method == "optimized" else "rank_"
    if names := [c.removeprefix(start) for c in columns if c.startswith(start)]:
        return names
    if "team" not in columns:
        return []
    teams = log.engine.collect(log.inputs(("team",)).impressions.select(team=col("by_0")).unique())["team"]
    return sorted(str(t) for t in teams if t is not None)


def missing_lists(present: Sequence[str], method: str, column: str | None = None) -> MissingColumn:
    """The error that a log lacks a column of the interleaved lists."""
    column = column or {"team-draft": "team", "optimized": "credit_…"}.get(method, "rank_…")
    return MissingColumn(
        f"The log of {method} interleaving has no column {column!r} (it has: {listed(present, 20)}).",
        Hint("Log the columns of the lists: ", Code("ir.interleaving.interleave(…)", "ireval interleave lists"), "."),
    )


@dataclass(frozen=True)
class OutcomeLog:
    """A log, and how it is evaluated.

    Attributes:
        log: the log of impressions and clicks.
        by: the user's names of the columns that group pages; `query_id` may be one.
        options: with the names of the runs.
    """

    log: Impressions
    by: tuple[str, ...]
    options: OutcomeOptions

    def grouped(self, *by: str) -> OutcomeLog:
        """The same, grouped by further columns."""
        return replace(self, by=(*self.by, *by))

    @property
    def groups(self) -> tuple[str, ...]:
        """The names in the tables of the columns that group pages."""
        return tuple(f"group_{i}" for i in range(len(self.by)))

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the rankings."""
        return self.options.runs or ()

    def reads(self) -> dict[str, str]:
        """The columns that the method reads: ours → the user's.

        Raises:
            MissingColumn: one is missing.
        """
        present, runs = columns_of(self.log), list(enumerate(self.runs))
        ranks, credit_columns = ({f"{k}_{i}": f"{k}_{name}" for i, name in runs} for k in ("rank", "credit"))
        required = {
            "team-draft": {"team": "team"},
            "optimized": credit_columns,
            "probabilistic": credit_columns if all(c in present for c in credit_columns.values()) else ranks,
            "balanced": ranks,
            "pairwise": ranks | {"candidates": "candidates"},
        }[self.options.method]
        if not self.options.common_prefix:
            required = required | ranks
        if missing := [c for c in required.values() if c not in present]:
            raise missing_lists(present, self.options.method, missing[0])
        return required

    def tables(self, engine: Engine) -> tuple[OutcomeTables, list[Callable[[], None]]]:
        """The tables, and the checks that run before results."""
        reads = self.reads()
        extra = tuple(dict.fromkeys((*(n for n in self.by if n != "query_id"), *reads.values())))
        inputs = self.log.inputs(extra, engine=engine)
        carried = [OF_UNITS[k] for k in dict.fromkeys((self.options.unit, self.options.cluster)) if k in OF_UNITS]
        carried += ["query_id"] if "query_id" in self.by and "query_id" not in carried else []
        inputs.needs(*carried, *(["dwell"] if self.options.min_dwell is not None else []))
        if "weight" in inputs.columns:
            raise NotDefined(
                "The outcomes of an interleaving test are counted page by page, and this log has weights.",
                'Remove them: frame.drop("weight")',
            )
        alias = {name: f"by_{i}" for i, name in enumerate(extra)} | {"query_id": "query_id"}
        columns = {f"group_{i}": col(alias[n]) for i, n in enumerate(self.by)}
        columns |= {ours: col(alias[theirs]) for ours, theirs in reads.items()}
        if "run_id" in inputs.keys:
            columns["system"] = col("run_id")
        if "team" in columns:
            columns["team"] = columns["team"].cast(pl.String)
        clicked = col("click") > 0
        if self.options.min_dwell is not None:
            clicked = clicked & (col("dwell") >= float(self.options.min_dwell))
        click = when(clicked).then(1.0).otherwise(0.0)
        rows = inputs.impressions.select("serp_id", "position", *carried, click=click, **columns)
        plan = Plan(engine)
        looks = [lambda: check(inputs), lambda: run_checks(engine, [known(inputs, c) for c in carried])]
        if self.options.method == "team-draft":
            looks.append(lambda: self._check_teams(engine, rows))
        return OutcomeTables(plan, rows, self.options, self.groups), [*looks, plan.check]

    def _check_teams(self, engine: Engine, rows: Frame) -> None:
        """Refuse rankings that are the team of no result."""
        teams = engine.collect(rows.select("team").unique())["team"].drop_nulls().sort().to_list()
        if teams and (missing := [r for r in self.runs if r not in teams]):
            raise MismatchedTables(
                f"No result is of the team {missing[0]!r}; the teams are {listed(teams)}.",
                Hint("Name rankings as the column team does: ", Argument("runs", teams[:2])),
            )
