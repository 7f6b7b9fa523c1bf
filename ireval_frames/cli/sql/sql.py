"""`ireval sql`: the evaluation as SQL text."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from ireval_frames.cli.options.arguments import runs_and_measures
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import By, Measures, PolicyText, Qrels, Queries
from ireval_frames.cli.output.tables import write_bytes
from ireval_frames.errors import InvalidParameter
from ireval_frames.ranking import Rankings

EXAMPLES = """\b
Examples:
  ireval sql qrels.txt bm25.run -m "nDCG@10 AP"
  ireval sql qrels.txt runs/*.run -m AP --result summary | duckdb
  ireval sql qrels.parquet run.parquet AP -o evaluate.sql
  ireval sql qrels.txt bm25.run AP --view per_topic | duckdb my.db
  ireval sql qrels.txt bm25.run AP --dialect postgres
  ireval sql qrels.txt bm25.run AP --dbt -o models/per_topic.sql

The statement reads the same files; run it in the same folder. With --dialect or
--dbt it reads tables qrels, run and queries, with the columns of the files.
"""


class Result(StrEnum):
    """What the statement gives."""

    per_unit = "per_unit"
    summary = "summary"


@command(epilog=EXAMPLES)
def sql(
    qrels: Qrels,
    arguments: Annotated[list[str], Argument(metavar="RUN", help="Runs: files or patterns.")],
    measures: Measures = None,
    result: Annotated[Result, Option("--result", help="A row per query, or the aggregated values.")] = Result.per_unit,
    wide: Annotated[bool, Option("--wide", help="A column per measure, instead of a row.")] = False,
    by: By = None,
    queries: Queries = None,
    policy: PolicyText = None,
    dialect: Annotated[
        str | None,
        Option("--dialect", metavar="NAME", help="In the words of another database, such as postgres."),
    ] = None,
    view: Annotated[str | None, Option("--view", metavar="NAME", help="Make a view of that name.")] = None,
    dbt: Annotated[bool, Option("--dbt", help="Print a dbt model, whose tables are refs.")] = False,
    output: Annotated[str | None, Option("-o", "--output", metavar="FILE", help="Write to a file.")] = None,
) -> None:
    """Print the evaluation as one SQL statement for DuckDB or another database, ready to paste into its shell.

    Every table of the plan is a named stage.
    """
    runs, asked = runs_and_measures(arguments, measures or ())
    if "-" in [qrels, *runs, queries]:
        raise InvalidParameter("SQL text cannot read standard input (-).", "Name a file.")
    evaluation = Rankings(qrels, runs, queries=queries, by=by or (), policy=policy).evaluate(asked)
    text = getattr(evaluation, result.value).sql(wide=wide, dialect=dialect, view=view, dbt=dbt)
    # A dbt model has no end: dbt puts it into statements of its own.
    end = "" if dbt else ";"
    write_bytes((text.rstrip().rstrip(";") + f"{end}\n").encode(), output)
