"""The tables of a store: what a row of each is, and their columns.  A table is a folder of Parquet files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

FORMAT = 1
TIME = pl.Datetime("us", "UTC")
ID = (pl.String, "the evaluation: 16 hexadecimal digits, from what was evaluated and how")
RUN = (pl.String, "the run; empty where the evaluation is of one system without a name")
GROUPS = (pl.String, "the columns of `by=` as JSON, `{}` without any")
MEASURE = (pl.String, "the measure")
# The columns of all results of analyses.
OCCASION = {
    "made_at": (TIME, "the time"),
    "collection": (pl.String, "the name of the collection; empty without one"),
    "tags": (pl.String, "the tags, as JSON"),
    "command": (pl.String, "the command line, of `ireval`; null from Python"),
    "host": (pl.String, "the machine, with `who=True`"),
    "user": (pl.String, "the user, with `who=True`"),
}


@dataclass(frozen=True)
class Table:
    """A table of the store.

    Attributes:
        name: of the table, and of its folder.
        description: of a row.
        columns: their types and descriptions, by name.
        key: the columns that identify a row.
        owner: the column whose evaluation must exist for a row to be visible; None where rows are independent.
    """

    name: str
    description: str
    columns: Mapping[str, tuple[Any, str]]
    key: tuple[str, ...]
    owner: str | None = "evaluation_id"

    @property
    def schema(self) -> pl.Schema:
        """The types of the columns."""
        return pl.Schema({name: dtype for name, (dtype, _) in self.columns.items()})


_TABLES = (
    Table(
        "evaluations",
        "an evaluation: measures of a family over tables, under conventions",
        {
            "evaluation_id": ID,
            "family": (pl.String, "the family of the measures: ranking, labels, clusters …"),
            "policy": (pl.String, "the conventions in force, as JSON"),
            "unit_columns": (pl.String, "the columns that identify units, as JSON"),
            "by_columns": (pl.String, "the columns of `by=`, as JSON"),
            "n_runs": (pl.Int64, "how many runs were evaluated"),
            "n_units": (pl.Int64, "how many rows `units` has"),
            "n_values": (pl.Int64, "how many rows `values` has"),
            "versions": (pl.String, "ireval-frames, Polars, Python, and the engine, as JSON"),
            "source": (pl.String, "the tool that computed the values: trec_eval, ir_measures …; null for our own"),
            "decimals": (
                pl.Int64,
                "how many decimals imported values have; null where they are not rounded",
            ),
        },
        ("evaluation_id",),
    ),
    Table(
        "runs",
        "a run of an evaluation",
        {
            "evaluation_id": ID,
            "run_id": RUN,
            "digest": (pl.String, "of the run's rows, in any order; null where the tables have no run of that name"),
            "digest_kind": (pl.String, "how the digest was computed; only digests of one kind can be compared"),
            "n_rows": (pl.Int64, "how many rows the run has"),
            "metadata": (
                pl.String,
                "the header of its file (ir_metadata), as YAML; null without one",
            ),
        },
        ("evaluation_id", "run_id"),
    ),
    Table(
        "inputs",
        "a table that was evaluated (judgments, runs, labels …), or that was imported",
        {
            "evaluation_id": ID,
            "name": (
                pl.String,
                "the name of the argument: qrels, run, labels …; `values` and `file` of what was imported",
            ),
            "digest": (pl.String, "of its rows, in any order"),
            "digest_kind": (pl.String, "how the digest was computed"),
            "n_rows": (pl.Int64, "how many rows it has"),
            "columns": (pl.String, "the columns that were read, as JSON"),
            "path": (pl.String, "where it was read from; null for a table in memory or in a database"),
        },
        ("evaluation_id", "name"),
    ),
    Table(
        "measures",
        "a measure of an evaluation",
        {
            "evaluation_id": ID,
            "measure": MEASURE,
            "place": (pl.Int64, "its position, from 0"),
            "name": (pl.String, "without parameters"),
            "parameters": (pl.String, "as JSON"),
            "aggregation": (pl.String, "from units to one number: mean, sum, geometric …"),
            "higher_is_better": (pl.Boolean, "the direction; null where neither is better"),
            "low": (pl.Float64, "the smallest value it can have"),
            "high": (pl.Float64, "the largest"),
        },
        ("evaluation_id", "measure"),
    ),
    Table(
        "summaries",
        "the value of a measure for a run, and a group of `by=`",
        {
            "evaluation_id": ID,
            "run_id": RUN,
            "groups": GROUPS,
            "measure": MEASURE,
            "value": (pl.Float64, "aggregated over the units, at full precision; null is undefined"),
            "n_units": (pl.Int64, "how many units there are"),
            "n_undefined": (pl.Int64, "how many of them have no value"),
        },
        ("evaluation_id", "run_id", "groups", "measure"),
    ),
    Table(
        "values",
        "the value of a measure for a unit of a run",
        {
            "evaluation_id": ID,
            "run_id": RUN,
            "groups": GROUPS,
            "unit_id": (pl.String, "the query, the item group …; JSON if several columns identify units"),
            "measure": MEASURE,
            "value": (pl.Float64, "at full precision; null is undefined"),
            "status": (pl.String, "ok; undefined: there is no value; missing: the run has nothing for the unit"),
        },
        ("evaluation_id", "run_id", "groups", "unit_id", "measure"),
    ),
    Table(
        "units",
        "a unit of a run, with its counts",
        {
            "evaluation_id": ID,
            "run_id": RUN,
            "groups": GROUPS,
            "unit_id": (pl.String, "as in `values`"),
            "n_retrieved": (pl.Int64, "of rankings: documents that the run has for the query"),
            "n_judged": (pl.Int64, "of them, with a judgment"),
            "n_relevant": (pl.Int64, "relevant documents that the judgments know"),
            "n_relevant_retrieved": (pl.Int64, "of them, in the run"),
            "n_items": (pl.Int64, "of items: how many the unit has"),
            "n_classes": (pl.Int64, "of labels: how many classes they have"),
        },
        ("evaluation_id", "run_id", "groups", "unit_id"),
    ),
    Table(
        "queries",
        "a query of an evaluation that was added with `queries=`",
        {
            "evaluation_id": ID,
            "query_id": (pl.String, "the query"),
            "attributes": (pl.String, "its other columns as JSON: `attributes->>'lang'`"),
        },
        ("evaluation_id", "query_id"),
    ),
    Table(
        "occasions",
        "an occasion on which an evaluation was added: time, names, command",
        {
            "occasion_id": (pl.String, "16 hexadecimal digits"),
            "evaluation_id": ID,
            "made_at": (TIME, "the time"),
            "collection": (pl.String, "the name of the collection; empty without one"),
            "tags": (pl.String, "the tags, as JSON: `tags->>'model'`"),
            "command": (pl.String, "the command line, of `ireval`; null from Python"),
            "host": (pl.String, "the machine, with `who=True`"),
            "user": (pl.String, "the user, with `who=True`"),
        },
        ("occasion_id",),
    ),
    Table(
        "tags",
        "a tag of an evaluation; the last evaluation with a tag has it",
        {
            "name": (pl.String, "such as main"),
            "evaluation_id": ID,
            "made_at": (TIME, "the time"),
        },
        ("name", "made_at", "evaluation_id"),
    ),
    Table(
        "comparisons",
        "a pair of systems compared: a row of `Comparison.table()`",
        {
            "comparison_id": (pl.String, "16 hexadecimal digits, from the rows and the options"),
            **OCCASION,
            "measure": MEASURE,
            "groups": GROUPS,
            "baseline": (pl.String, "the system compared with"),
            "system": (pl.String, "the other one"),
            "test": (pl.String, "the test"),
            "n": (pl.Int64, "units of the test"),
            "mean_baseline": (pl.Float64, "the baseline's mean"),
            "mean": (pl.Float64, "the system's mean"),
            "difference": (pl.Float64, "system − baseline"),
            "ci_low": (pl.Float64, "the lower end of the interval of the test's estimate"),
            "ci_high": (pl.Float64, "its upper end"),
            "wins": (pl.Int64, "units in which the system is better"),
            "ties": (pl.Int64, "units without a difference"),
            "losses": (pl.Int64, "units in which it is worse"),
            "statistic": (pl.Float64, "of the test"),
            "p_value": (pl.Float64, "of the test"),
            "p_adjusted": (pl.Float64, "corrected"),
            "correction": (pl.String, "how"),
            "status": (pl.String, "why something is null"),
            "more": (pl.String, "the other columns of the row, as JSON"),
        },
        ("comparison_id", "measure", "groups", "baseline", "system", "test"),
        None,
    ),
    Table(
        "bootstraps",
        "a value with its interval by resampling: a row of `Bootstrap.table()`",
        {
            "bootstrap_id": (pl.String, "16 hexadecimal digits, from the rows, names and tags"),
            **OCCASION,
            "evaluation_id": (pl.String, "the evaluation that was resampled, whether it is in the store or not"),
            "run_id": RUN,
            "groups": GROUPS,
            "measure": MEASURE,
            "value": (pl.Float64, "of all units; null is undefined"),
            "ci_low": (pl.Float64, "the interval"),
            "ci_high": (pl.Float64, "its upper end"),
            "se": (pl.Float64, "the standard error"),
            "bias": (pl.Float64, "the mean of the replicates − value"),
            "method": (pl.String, "of the interval"),
            "confidence": (pl.Float64, "of the interval"),
            "n_resamples": (pl.Int64, "those that have a value"),
            "seed": (pl.Int64, "of the draws"),
            "n_resampled": (pl.Int64, "the units that are drawn"),
            "status": (pl.String, "why something is null"),
        },
        ("bootstrap_id", "run_id", "groups", "measure"),
        None,
    ),
    Table(
        "gates",
        "a rule of a gate: a row of `Gate.table()`",
        {
            "gate_id": (pl.String, "16 hexadecimal digits, from the rows, names and tags"),
            **OCCASION,
            "exit_code": (pl.Int64, "of the whole gate: 0 all rules pass, 3 one failed, 4 something is incomparable"),
            "place": (pl.Int64, "the row's place in the gate, from 0"),
            "baseline_id": (pl.String, "the evaluation of the baseline; null for a table"),
            "candidate_id": (pl.String, "that of the candidate; null for a table"),
            "rule": (pl.String, "the rule"),
            "kind": (pl.String, "of the rule"),
            "measure": MEASURE,
            "groups": (pl.String, "the segment as JSON, `{}` for all units"),
            "baseline": (pl.String, "the name of the baseline's run"),
            "run_id": (pl.String, "the name of the candidate's run"),
            "verdict": (pl.String, "pass, fail, undecided or incomparable"),
            "passed": (pl.Boolean, "whether the verdict lets the candidate pass"),
            "reason": (pl.String, "in words"),
            "observed": (pl.Float64, "the number that the rule is about"),
            "limit": (pl.Float64, "what it is compared with"),
            "n": (pl.Int64, "units with both values"),
            "mean_baseline": (pl.Float64, "the baseline's mean"),
            "mean": (pl.Float64, "the candidate's mean"),
            "difference": (pl.Float64, "candidate − baseline"),
            "ci_low": (pl.Float64, "the interval of the difference"),
            "ci_high": (pl.Float64, "its upper end"),
            "numbers": (pl.String, "further numbers, and the worst units, as JSON"),
        },
        ("gate_id", "place"),
        None,
    ),
    Table(
        "findings",
        "a row of the table of any other result: of an experiment, an interleaving test, a click model, a reproduction",
        {
            "finding_id": (pl.String, "16 hexadecimal digits, from the rows, names and tags"),
            **OCCASION,
            "kind": (
                pl.String,
                "the kind of result: Analysis (of an experiment), Interleaving, FittedModel …; or table",
            ),
            "name": (pl.String, "the name given to it; empty without one"),
            "part": (pl.String, "which of its tables: table, summary, parameters, consensus, effects, raters"),
            "place": (pl.Int64, "the row's place, from 0"),
            "groups": GROUPS,
            "measure": (pl.String, "the measure, metric or parameter"),
            "run_id": (pl.String, "the run, variant or system"),
            "baseline": (pl.String, "what it is compared with"),
            "n": (pl.Int64, "units"),
            "value": (pl.Float64, "the value"),
            "difference": (pl.Float64, "to the baseline"),
            "ci_low": (pl.Float64, "the interval"),
            "ci_high": (pl.Float64, "its upper end"),
            "p_value": (pl.Float64, "of the test"),
            "status": (pl.String, "why something is null"),
            "row": (pl.String, "the complete row as JSON: `row->>'query_id'`"),
        },
        ("finding_id", "place"),
        None,
    ),
)
TABLES = {table.name: table for table in _TABLES}
