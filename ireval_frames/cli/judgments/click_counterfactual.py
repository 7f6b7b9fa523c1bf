"""`ireval clicks counterfactual` and `propensities`: new runs, evaluated by the clicks of a log."""

from __future__ import annotations

from typing import Annotated

from ireval_frames.cli.options.arguments import runs_and_measures
from ireval_frames.cli.options.click_log import ClickLog, LogFile
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import (
    By,
    Measures,
    OutputOptions,
    PerUnit,
    at_most_one,
    columns_argument,
    of_one,
)  # fmt: skip
from ireval_frames.cli.options.rankings import RunOptions
from ireval_frames.cli.output.running import capture, working
from ireval_frames.clicks.counterfactual_evaluation.options import CounterfactualOptions, PropensityOptions
from ireval_frames.columns.schema import IMPRESSIONS, RUN

EXAMPLES = """\b
Examples:
  ireval clicks propensities log.parquet -o propensities.csv
  ireval clicks counterfactual log.parquet new.run -m DCG@10 --propensity propensities.csv
  ireval clicks counterfactual log.parquet runs/*.run --propensity p.csv -e "IPS SNIPS DR" --cluster user
  ireval clicks counterfactual log.parquet runs/*.run --propensity p.csv --baseline bm25
  ireval clicks counterfactual log.parquet new.run --propensity p.csv --coverage

\b
Without --propensity the log has a column of that name.
"""


@command(epilog=EXAMPLES)
def counterfactual(
    file: LogFile,
    arguments: Annotated[
        list[str], Argument(metavar="RUN", help="New rankings: files or patterns; measures may follow them.")
    ],
    measures: Measures = None,
    propensity: Annotated[
        str | None, Option("--propensity", metavar="FILE", help="A table of position and propensity.")
    ] = None,
    relevance: Annotated[
        str | None, Option("--relevance", metavar="FILE", help="A table of query_id, doc_id, relevance, for DM and DR.")
    ] = None,
    baseline: Annotated[str | None, Option("--baseline", help="Each run against this one.")] = None,
    coverage: Annotated[bool, Option("--coverage", help="The part of the runs that was ever shown.")] = False,
    per_unit: PerUnit = False,
    by: By = None,
    *,
    options: CounterfactualOptions,
    log: ClickLog,
    reading: RunOptions,
    out: OutputOptions,
) -> None:
    """Estimate the value of new runs for the users of the log."""
    runs, parsed = runs_and_measures(arguments, measures or (), default=("DCG@10",))
    named = columns_argument(log.columns, IMPRESSIONS, RUN)
    of_runs = {ours: name for ours, name in named.items() if ours in {"run", *(c.name for c in RUN.columns)}}
    at_most_one(baseline=baseline is not None, coverage=coverage, per_unit=per_unit)
    from ireval_frames.clicks.counterfactual_evaluation import counterfactual as estimate

    with working("evaluating"):
        values = estimate(
            log.open(file, by=by, columns=of_one(log.columns, IMPRESSIONS)),
            reading.runs(runs[0] if len(runs) == 1 else runs, of_one(log.columns, RUN), log.stores),
            parsed,
            columns=of_runs,
            propensity=propensity,
            relevance=relevance,
            storage_options=log.stores,
            **options.arguments(),
        )
        capture(values)
        if baseline is not None:
            table = values.compare(baseline)
        elif coverage:
            table = values.coverage()
        else:
            table = values.per_unit() if per_unit else values.summary()
    out.table(table)


@command(epilog=EXAMPLES)
def propensities(
    file: LogFile,
    *,
    options: PropensityOptions,
    log: ClickLog,
    out: OutputOptions,
) -> None:
    """Estimate the probability that each position is examined."""
    from ireval_frames.clicks.counterfactual_evaluation import propensities as estimate

    with working("estimating"):
        result = estimate(log.open(file), **options.arguments())
    out.table(capture(result).table())
