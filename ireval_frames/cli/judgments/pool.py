"""`ireval pool`: the documents of runs that people should judge."""

from __future__ import annotations

from typing import Annotated

import click
import polars as pl

from ireval_frames import io
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Columns, EngineName, OutputOptions, mapping, table_names
from ireval_frames.cli.options.rankings import RunOptions
from ireval_frames.cli.output.running import working
from ireval_frames.columns.schema import QRELS, RUN
from ireval_frames.pools.options import PoolOptions

EXAMPLES = """\b
Examples:
  ireval pool runs/*.run --depth 50 -o pool.csv
  ireval pool runs/*.run --depth 50 --qrels qrels.txt
  ireval pool runs/*.run --method rrf --total 1000 -o pool.csv
  ireval pool runs/*.run --method stratified --strata 10:1,50:0.5,100:0.1 --seed 7 -o sample.csv
  ireval pool runs/*.run --method mtf --batch 10 -o steps.csv
  ireval pool runs/*.run --method mtf --batch 10 --qrels qrels.txt --resume steps.csv -o steps.csv

\b
Methods that go by the grades so far (mtf, hedge, bandit, max-mean) write all that was handed out, and
the next documents.  Fill in the column relevance, or keep the grades in a file for --qrels, and
call the command again with --resume.  Of stratified pools fill it in where it is empty: the table
then is one of sampled judgments.
"""


@command(epilog=EXAMPLES)
def pool(
    runs: Annotated[list[str], Argument(metavar="RUN", help="Runs: files, patterns, or - for standard input.")],
    qrels: Annotated[
        str | None, Option("--qrels", metavar="FILE", help="Judgments that exist; their documents are left out.")
    ] = None,
    resume: Annotated[
        str | None, Option("--resume", metavar="FILE", help="What such a command wrote before, to go on from there.")
    ] = None,
    column: Columns = None,
    engine: EngineName = None,
    *,
    options: PoolOptions,
    reading: RunOptions,
    out: OutputOptions,
) -> None:
    """List the documents of runs for people to judge."""
    from ireval_frames.pools import AdaptivePool
    from ireval_frames.pools import pool as make

    names = table_names(mapping(column), QRELS, RUN)
    with working("pooling"):
        rankings = io.scan_run(runs, columns=names.of("run"), rank=options.ties == "rank", **reading.run_arguments())
        judgments = None if qrels is None else io.scan_qrels(qrels, columns=names.of("qrels"))
        names.check_used()
        documents = make(
            rankings,
            qrels=judgments,
            resume=resume,
            engine=engine,
            **options.arguments(),
        )
        if isinstance(documents, AdaptivePool):
            following = next(documents, None)
            rows = documents.table()
        else:
            rows = documents.collect() if isinstance(documents, pl.LazyFrame) else documents
    out.table(rows)
    if isinstance(documents, AdaptivePool) and following is None:
        click.echo("ireval: nothing more is to be judged.", err=True)
