"""`ireval tradeoff`: quality against cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ireval_frames import io
from ireval_frames.cli.options.arguments import runs_and_measures
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Confidence, Measures, OutputOptions, Seed, at_most_one
from ireval_frames.cli.options.rankings import RankingOptions
from ireval_frames.cli.options.timings import TimingOptions
from ireval_frames.cli.output.running import working
from ireval_frames.errors import InvalidParameter

if TYPE_CHECKING:
    import polars as pl

    from ireval_frames.tradeoffs import Tradeoff

EXAMPLES = """\b
Examples:
  ireval tradeoff qrels.txt bm25.run lsa.run --timings requests.csv -m nDCG@10 --cost-measure "Latency(p=95)"
  ireval tradeoff qrels.txt bm25.run lsa.run --timings requests.csv -m AP --front
  ireval tradeoff systems.csv --budget 50                 the best system that costs at most 50
  ireval tradeoff systems.csv --quality 0.35              the cheapest system that is this good
  ireval tradeoff systems.csv --hypervolume 0.2,500       the area below the front, of logarithms of costs
  ireval tradeoff systems.csv --hypervolume 0.2,500 --scale linear
  ireval tradeoff export.csv --tool ann-benchmarks --front

\b
One file is a table with a row per system: run_id, quality, cost.  The share of replicates in which
a system is on the front is of drawn queries, for quality and cost the same ones.
"""


@command(epilog=EXAMPLES)
def tradeoff(
    arguments: Annotated[
        list[str], Argument(metavar="QRELS RUN… | TABLE", help="Judgments and runs, or a table of systems.")
    ],
    measures: Measures = None,
    timings: Annotated[
        str | None, Option("--timings", metavar="FILE", help="The timings of the runs: a row per request.")
    ] = None,
    cost_measure: Annotated[
        str, Option("--cost-measure", metavar="MEASURE", help="What is a cost: Latency(p=95), Cost, …")
    ] = "MeanLatency",
    front: Annotated[bool, Option("--front", help="Only systems that no other one beats.")] = False,
    budget: Annotated[
        float | None, Option("--budget", metavar="COST", help="The best system that costs at most this.")
    ] = None,
    quality: Annotated[
        float | None, Option("--quality", metavar="VALUE", help="The cheapest system of at least this quality.")
    ] = None,
    hypervolume: Annotated[
        str | None, Option("--hypervolume", metavar="QUALITY,COST", help="The area between the front and this corner.")
    ] = None,
    scale: Annotated[str, Option("--scale", metavar="SCALE", help="Costs of --hypervolume: log or linear.")] = "log",
    n_resamples: Annotated[
        int, Option("--n-resamples", metavar="N", help="The number of replicates; 0 for none.")
    ] = 1000,
    confidence: Confidence = 0.95,
    seed: Seed = 0,
    *,
    options: TimingOptions,
    reading: RankingOptions,
    out: OutputOptions,
) -> None:
    """Compare quality with cost: the systems that no other one beats in both, and how sure that is."""
    at_most_one(front=front, budget=budget is not None, quality=quality is not None, hypervolume=bool(hypervolume))
    with working("evaluating"):
        if timings is None:
            if len(arguments) > 1:
                raise InvalidParameter(
                    f"There are {len(arguments)} files and no timings.", "Write --timings requests.csv, or one table."
                )
            trade = _of_table(arguments[0], options, reading)
        else:
            runs, parsed = runs_and_measures(arguments[1:], measures or (), default=("nDCG@10",))
            from ireval_frames.tradeoffs import tradeoff as of_both

            evaluation = reading.rankings(arguments[0], runs).evaluate(parsed)
            subject = options.subject(timings, storage_options=reading.stores)
            trade = of_both(evaluation, subject, cost_measure=cost_measure, n_resamples=n_resamples, seed=seed)
        out.table(_table(trade, front, budget, quality, hypervolume, scale, confidence))


def _of_table(path: str, options: TimingOptions, reading: RankingOptions) -> Tradeoff:
    from ireval_frames.tradeoffs import tradeoff as of_table

    if options.tool == "ann-benchmarks":
        from ireval_frames.timings import read_ann_benchmarks_table

        return of_table(read_ann_benchmarks_table(path, storage_options=reading.stores))
    return of_table(io.located(path, reading.stores))


def _table(
    trade: Tradeoff,
    front: bool,
    budget: float | None,
    quality: float | None,
    hypervolume: str | None,
    scale: str,
    confidence: float,
) -> pl.DataFrame:
    if budget is not None:
        return trade.best(budget=budget)
    if quality is not None:
        return trade.cheapest(quality=quality)
    if hypervolume is not None:
        import polars as pl

        try:
            worst, highest = map(float, hypervolume.split(","))
        except ValueError:
            raise InvalidParameter(
                f"--hypervolume is {hypervolume!r}; it is a quality and a cost.", "Write --hypervolume 0.2,500."
            ) from None
        return pl.DataFrame({"hypervolume": [trade.hypervolume(quality=worst, cost=highest, scale=scale)]})
    return trade.front(confidence=confidence) if front else trade.table(confidence=confidence)
