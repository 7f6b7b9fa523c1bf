"""`ireval sql` and `ireval macros`: an evaluation as SQL text, and measures as table macros of DuckDB."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from ireval_frames.cli.options.arguments import runs_and_measures
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import (
    By,
    Columns,
    Measures,
    PolicyText,
    Qrels,
    Queries,
    columns_argument,
    mapping,
)
from ireval_frames.cli.output.tables import write_bytes
from ireval_frames.columns.schema import QRELS, QUERIES, RUN
from ireval_frames.errors import InvalidParameter
from ireval_frames.ranking import Rankings

SQL_EXAMPLES = """\b
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
    """The result of the statement."""

    per_unit = "per_unit"
    summary = "summary"


@command(epilog=SQL_EXAMPLES)
def sql(
    qrels: Qrels,
    arguments: Annotated[list[str], Argument(metavar="RUN", help="Runs: files or patterns.")],
    measures: Measures = None,
    result: Annotated[Result, Option("--result", help="A row per query, or the aggregated values.")] = Result.per_unit,
    wide: Annotated[bool, Option("--wide", help="A column per measure, instead of a row.")] = False,
    by: By = None,
    queries: Queries = None,
    column: Columns = None,
    policy: PolicyText = None,
    dialect: Annotated[
        str | None,
        Option("--dialect", metavar="NAME", help="The SQL of another database, such as postgres."),
    ] = None,
    view: Annotated[str | None, Option("--view", metavar="NAME", help="Create a view of that name.")] = None,
    dbt: Annotated[bool, Option("--dbt", help="Print a dbt model, whose tables are refs.")] = False,
    output: Annotated[str | None, Option("-o", "--output", metavar="FILE", help="Write to a file.")] = None,
) -> None:
    """Print the evaluation as one SQL statement for DuckDB or another database, ready to paste into its shell.

    Every table of the plan is a named stage.
    """
    runs, parsed = runs_and_measures(arguments, measures or ())
    if "-" in [qrels, *runs, queries]:
        raise InvalidParameter("SQL text cannot read standard input (-).", "Name a file.")
    evaluation = Rankings(
        qrels,
        runs,
        queries=queries,
        by=by or (),
        policy=policy,
        columns=columns_argument(mapping(column), QRELS, RUN, QUERIES),
    ).evaluate(parsed)
    text = getattr(evaluation, result.value).sql(wide=wide, dialect=dialect, view=view, dbt=dbt)
    # dbt puts a model into statements of its own.
    end = "" if dbt else ";"
    write_bytes((text.rstrip().rstrip(";") + f"{end}\n").encode(), output)


MACROS_EXAMPLES = """\b
Examples:
  ireval macros -o ireval.sql
  ireval macros | duckdb my.db
  ireval macros -m "nDCG@10 AP" -m "P(rel=2)"
  ireval macros -m "F1(average='binary')" --family labels
  ireval macros --schema main | duckdb ireval.duckdb

In DuckDB then: FROM ireval_ndcg('qrels', 'run', k := 10), or with the last one
ATTACH 'ireval.duckdb' AS ireval; FROM ireval.ndcg('qrels', 'run', k := 10).
"""


@command(epilog=MACROS_EXAMPLES)
def macros(
    measures: Annotated[
        list[str] | None,
        Option("-m", "--measure", metavar="TEXT", help="Measures, one or several; repeatable. By default all."),
    ] = None,
    family: Annotated[
        str | None,
        Option("--family", metavar="NAME", help="Only measures of this family."),
    ] = None,
    schema: Annotated[
        str | None, Option("--schema", metavar="NAME", help="Create them in this schema, without the prefix.")
    ] = None,
    output: Annotated[str | None, Option("-o", "--output", metavar="FILE", help="Write to a file.")] = None,
) -> None:
    """Print measures as table macros of DuckDB, so that SQL alone evaluates and compares.

    They are named ireval_ndcg, ireval_labels_mcc, ireval_clusters_purity and so on.
    """
    from ireval_frames.macros import statements

    write_bytes(statements(measures or None, family=family, schema=schema).encode(), output)
