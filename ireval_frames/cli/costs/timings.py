"""`ireval timings`: how long requests take, how many are answered, and what they cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Confidence, OutputOptions, Seed
from ireval_frames.cli.options.evaluation import ItemOptions, TableOptions
from ireval_frames.cli.options.timings import TimingOptions
from ireval_frames.cli.output.running import capture, working
from ireval_frames.errors import InvalidParameter

if TYPE_CHECKING:
    import polars as pl

EXAMPLES = """\b
Examples:
  ireval timings requests.csv                    "Latency(p=50) Latency(p=95) Latency(p=99) MeanLatency"
  ireval timings requests.csv "Latency(p=95) ErrorRate Throughput" --intervals
  ireval timings requests.csv "Latency(p=95)" --baseline a        differences on the same queries
  ireval timings requests.parquet --seconds ms --time-unit ms --warm-up 10 --by day
  ireval timings requests.csv "Goodput(limit=0.1) WithinLimit(limit=0.1)" --policy failures=recorded
  ireval timings night.json "Latency(p=95) ErrorRate" --tool k6
  ireval timings metrics.txt --tool prometheus            percentiles of a histogram, approximate
  ireval timings night_stats.csv --tool locust -o night.json

\b
Times are seconds, or of --time-unit; results are in seconds.  `ireval measures timings` lists
the measures.  Formats: table (four decimals), and csv, json, parquet (in full).
"""
DEFAULT = "Latency(p=50) Latency(p=95) Latency(p=99) MeanLatency"
# Tools whose files have no requests.
SUMMARIES = ("hdr-histogram", "locust", "prometheus", "wrk")


@command(epilog=EXAMPLES)
def timings(
    table: Annotated[
        str, Argument(metavar="FILE", help="A row per request: CSV, TSV, JSON lines, Parquet, Arrow; or of --tool.")
    ],
    intervals: Annotated[bool, Option("--intervals", help="Percentiles with intervals by order statistics.")] = False,
    baseline: Annotated[
        str | None, Option("--baseline", metavar="RUN", help="Differences to this system, by drawn queries.")
    ] = None,
    confidence: Confidence = 0.95,
    seed: Seed = 0,
    *,
    options: TimingOptions,
    items: ItemOptions,
    tables: TableOptions,
    out: OutputOptions,
) -> None:
    """Evaluate how long requests take, how many are answered, and what they cost."""
    items.at_most_one(intervals=intervals, baseline=baseline is not None)
    if options.tool in SUMMARIES:
        if items.arguments or items.measures or intervals or baseline is not None:
            raise InvalidParameter(
                f"Files of {options.tool} have no requests, so that no measure can be evaluated.",
                "Leave measures, --intervals and --baseline out.",
            )
        with working("reading"):
            summary = _summary(options, table, tables.stores)
        out.table(summary)
        return
    measures = items.parse("timings", DEFAULT)
    with working("evaluating"):
        subject = options.subject(table, **items.groups(), **tables.arguments())
        evaluation: Any = capture(subject.evaluate(measures))
        if intervals:
            result = evaluation.intervals(confidence=confidence)
        elif baseline is not None:
            from ireval_frames.resampling import bootstrap

            drawn = bootstrap(subject, measures, confidence=confidence, seed=seed)
            result = drawn.compare(baseline)
        else:
            result = items.values(evaluation, measures)
    out.result(result)


def _summary(options: TimingOptions, path: str, stores: dict[str, str] | None) -> pl.DataFrame:
    from ireval_frames import timings

    if options.tool == "prometheus":
        return timings.read_prometheus(path, time_unit=options.time_unit, storage_options=stores).percentiles()
    if options.tool == "hdr-histogram":
        return timings.read_hdr_histogram(path, time_unit=options.time_unit, storage_options=stores).percentiles()
    read = timings.read_locust if options.tool == "locust" else timings.read_wrk
    return read(path, storage_options=stores)
