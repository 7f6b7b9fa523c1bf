"""`ireval evaluate`: runs against judgments."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from ireval_frames.cli.options.arguments import runs_and_measures
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Coverage, OutputFile, OutputFormat, Qrels, at_most_one, refuse_trec
from ireval_frames.cli.options.evaluation import ValueOptions
from ireval_frames.cli.options.rankings import RankingOptions
from ireval_frames.cli.output.running import capture, working
from ireval_frames.cli.output.tables import Values, deliver, deliver_table, format_of

if TYPE_CHECKING:
    import polars as pl

EXAMPLES = """\b
Examples:
  ireval evaluate qrels.txt bm25.run                        nDCG@10 AP RR P@10 R@100
  ireval evaluate qrels.txt bm25.run nDCG@20 "P(rel=2)@5"   measures may follow the runs
  ireval evaluate qrels.txt runs/*.run.gz -m "nDCG@10 map ndcg_cut_20"
  ireval evaluate qrels.txt bm25.run --per-unit -o values.parquet
  ireval evaluate qrels.txt runs/*.run --coverage           what is judged, retrieved, or both
  ireval evaluate qrels.txt bm25.run DCG@5 --ranks          gain, discount and value at every rank
  ireval evaluate qrels.txt runs/*.run -m AP --bounds       what unjudged documents can change
  ireval evaluate sampled.qrels bm25.run "xinfAP infNDCG" --sampling-intervals
  ireval evaluate diversity.qrels bm25.run "AP(subtopics='mean') nDCG@20"
  ireval evaluate assessed.qrels bm25.run "AP(assessors='mean')"
  ireval evaluate qrels.txt runs/*.run --queries topics.tsv --by lang
  ireval evaluate qrels.txt bm25.run "uSDBN@10 Seen@10" --click-model sdbn.parquet
  ireval evaluate judged.csv found.parquet --column relevance=grade --column run.score=sim
  ireval evaluate qrels.txt bm25.run --policy "trec_eval-9,missing=skip"
  zcat bm25.run.gz | ireval evaluate qrels.txt - -m AP --format trec

\b
Measures are written as in ir_measures (nDCG@10, P(rel=2)@5) or as in trec_eval
(ndcg_cut_10, map); `ireval measures` lists them.  An argument after the first run
is a measure if no such file exists; the text of -m always is one.

\b
Formats: table (a row per run, or per measure for one run; four decimals), trec
(trec_eval's three columns), and csv, json, parquet (a row per value, in full).
"""


class Second(StrEnum):
    """The second field of a line of judgments."""

    iteration = "iteration"
    subtopic_id = "subtopic_id"
    assessor_id = "assessor_id"


@command(epilog=EXAMPLES)
def evaluate(
    qrels: Qrels,
    arguments: Annotated[list[str], Argument(metavar="RUN", help="Runs: files, patterns, or - for standard input.")],
    coverage: Coverage = False,
    ranks: Annotated[
        bool, Option("--ranks", help="The values at every rank down to the cutoff, with gains and discounts.")
    ] = False,
    sampling_intervals: Annotated[
        bool, Option("--sampling-intervals", help="How far estimates from a sample of judgments may be off.")
    ] = False,
    bounds: Annotated[
        bool, Option("--bounds", help="The least and the largest values, however unjudged documents are judged.")
    ] = False,
    click_model: Annotated[
        str | None,
        Option("--click-model", metavar="FILE", help="A click model of `ireval clicks fit LOG --save`, or a table."),
    ] = None,
    format: OutputFormat = None,
    second: Annotated[
        Second | None,
        Option("--second", help="The second field of judgments; by default as the measures need it."),
    ] = None,
    output: OutputFile = None,
    *,
    values: ValueOptions,
    reading: RankingOptions,
) -> None:
    """Evaluate runs against judgments.

    Several runs are evaluated in one plan, each under the name of its file.
    """
    values.at_most_one(coverage=coverage, ranks=ranks)
    at_most_one(coverage=coverage, ranks=ranks, sampling_intervals=sampling_intervals, bounds=bounds)
    runs, measures = runs_and_measures(arguments, values.measures or ())
    shape = format_of(format, output)
    if coverage or ranks or sampling_intervals or bounds:
        shape = refuse_trec(shape)
    with working("evaluating"):
        subject = reading.rankings(
            qrels, runs, by=values.by, click_model=click_model, second=(second or Second.iteration).value
        )
        evaluation = capture(subject.evaluate(measures))
        if coverage:
            result: pl.DataFrame | Values = evaluation.coverage()
        elif sampling_intervals:
            result = evaluation.sampling_intervals(per_unit=values.per_unit)
        elif bounds:
            result = evaluation.bounds(summary=not values.per_unit)
        else:
            result = evaluation.ranks() if ranks else values.values(evaluation, measures)
    if isinstance(result, Values):
        deliver(result, shape, output)
    else:
        deliver_table(result, shape, output)
