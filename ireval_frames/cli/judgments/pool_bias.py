"""`ireval pool-bias`: runs without what their group contributed to the judgments, and estimates that correct it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import polars as pl

from ireval_frames import io
from ireval_frames.cli.options.arguments import runs_and_measures
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Measures, OutputOptions, Qrels, at_most_one
from ireval_frames.cli.options.rankings import RankingOptions
from ireval_frames.cli.output.running import working
from ireval_frames.cli.output.tables import Format, write_bytes
from ireval_frames.errors import InvalidParameter, UnknownName, listed, nearest
from ireval_frames.reusability.options import PoolBiasOptions
from ireval_frames.subject import request_of

if TYPE_CHECKING:
    from ireval_frames.reusability import PoolBias

EXAMPLES = """\b
Examples:
  ireval pool-bias qrels.txt runs/*.run --groups teams.csv --depth 100      in words, and a row per team
  ireval pool-bias qrels.txt runs/*.run -m "AP nDCG@10" --format csv            a row per run
  ireval pool-bias qrels.txt runs/*.run --unique                          relevant documents of one run alone
  ireval pool-bias qrels.txt runs/*.run --documents -o contributors.csv
  ireval pool-bias qrels.txt runs/*.run -m P@10 --estimate new.run        what a new run would have
  ireval pool-bias qrels.txt runs/*.run -m P@10 --errors                  how good such estimates are here

\b
The table of --groups has run_id and another column, such as the team of each run.
Without it each run is a group of its own.  The measures are AP and P@10 by default.
"""


@command(epilog=EXAMPLES)
def pool_bias(
    qrels: Qrels,
    arguments: Annotated[list[str], Argument(metavar="RUN", help="Two pooled runs or more: files or patterns.")],
    measures: Measures = None,
    groups: Annotated[
        str | None, Option("--groups", metavar="FILE", help="A table of run_id and the group of each run.")
    ] = None,
    group: Annotated[
        str | None, Option("--group", metavar="COLUMN", help="Which column of --groups, if there are several.")
    ] = None,
    unique: Annotated[bool, Option("--unique", help="How many documents each group contributed alone.")] = False,
    per_query: Annotated[bool, Option("--per-query", "-q", help="A row per topic, too, with --unique.")] = False,
    documents: Annotated[bool, Option("--documents", help="The judged documents, and who contributed them.")] = False,
    estimate: Annotated[
        list[str] | None,
        Option("--estimate", metavar="RUN", help="A run that was not pooled: what it would have; repeatable."),
    ] = None,
    common: Annotated[
        str | None,
        Option("--common", metavar="QRELS", help="Judgments of topics also judged for these runs, with --estimate."),
    ] = None,
    errors: Annotated[bool, Option("--errors", help="How far estimates of the pooled runs are from their values.")] = (
        False
    ),
    *,
    options: PoolBiasOptions,
    reading: RankingOptions,
    out: OutputOptions,
) -> None:
    """Evaluate each run without what only its group contributed to the judgments: can they be reused?"""
    at_most_one(unique=unique, documents=documents, estimate=bool(estimate), errors=errors)
    if per_query and not unique:
        raise InvalidParameter("--per-query is for unique documents.", "Write --unique --per-query.")
    if common is not None and not estimate:
        raise InvalidParameter("--common is for estimates of new runs.", "Write --estimate new.run --common qrels.txt.")
    runs, parsed = runs_and_measures(arguments, measures or (), default=("AP", "P@10"))
    with working("evaluating"):
        bias = _pool_bias(reading, qrels, runs, parsed, _groups(groups, group), options)
        if estimate:
            judged = None if common is None else _tables(reading, common, estimate)["qrels"]
            table = bias.estimates(_tables(reading, qrels, estimate)["run"], common=judged)
        elif unique:
            table = bias.unique("run" if groups is None else "group", per_query=per_query)
        else:
            table = bias.documents() if documents else bias.errors() if errors else bias.table()
        words = not (unique or documents or estimate or errors) and out.shape is Format.table
        text = str(bias) if words else ""
    if words:
        write_bytes(f"{text}\n".encode(), out.output)
    else:
        out.table(table)


def _pool_bias(
    reading: RankingOptions, qrels: str, runs: list[str], measures: Any, groups: Any, options: PoolBiasOptions
) -> PoolBias:
    """The runs, ready to be evaluated without what their groups contributed."""
    from ireval_frames.reusability import pool_bias

    tables = _tables(reading, qrels, runs)
    return pool_bias(
        tables["qrels"], tables["run"], measures, group=groups, policy=reading.policy, engine=reading.engine,
        **options.arguments(),
    )  # fmt: skip


def _tables(reading: RankingOptions, qrels: str, runs: list[str]) -> Any:
    """The tables of judgments and runs as the options say, by name."""
    return request_of(reading.rankings(qrels, runs)).user_tables


def _groups(path: str | None, column: str | None) -> pl.DataFrame | None:
    """The group of each run, as a table of two columns.

    Raises:
        InvalidParameter: the table has no run_id, or several further columns; or a column is named without a table.
        UnknownName: the table has no such column.
    """
    if path is None:
        if column is not None:
            raise InvalidParameter(
                "--group names a column, and there is no table of groups.", "Write --groups teams.csv --group team."
            )
        return None
    table = io.scan_table(path).collect()
    others = [c for c in table.columns if c != "run_id"]
    if "run_id" not in table.columns or not others:
        raise InvalidParameter(
            f"{path} has the columns {listed(table.columns)}; it must have run_id and another one.",
            "Its first lines may be: run_id,team and bm25,a.",
        )
    if column is None and len(others) > 1:
        raise InvalidParameter(
            f"{path} has several columns besides run_id: {listed(others)}.",
            f"Write --groups {path} --group {others[0]}",
        )
    if column is not None and column not in others:
        raise UnknownName(f"{path} has no column {column!r}.", nearest(column, others))
    return table.select("run_id", column or others[0])
