"""`ireval clicks counterfactual LOG` and `propensities`: new runs, valued by the clicks of a log."""

from __future__ import annotations

from typing import Annotated

from ireval_frames.cli.options.click_log import ClickLog, LogFile
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import By, Measures, PerUnit, Written, at_most_one
from ireval_frames.cli.options.reading import RunReading
from ireval_frames.cli.output.capture import found as kept
from ireval_frames.cli.output.progress import working
from ireval_frames.clicks.counterfactual_evaluation.options import CounterfactualOptions, PropensityOptions

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
    runs: Annotated[list[str], Argument(metavar="RUN", help="New rankings: runs, patterns.")],
    measures: Measures = None,
    propensity: Annotated[
        str | None, Option("--propensity", metavar="FILE", help="A table of position and propensity.")
    ] = None,
    relevance: Annotated[
        str | None, Option("--relevance", metavar="FILE", help="For DM and DR: query_id, doc_id, relevance.")
    ] = None,
    baseline: Annotated[str | None, Option("--baseline", help="Each run against this one.")] = None,
    coverage: Annotated[bool, Option("--coverage", help="What of the runs was ever shown.")] = False,
    per_unit: PerUnit = False,
    by: By = None,
    *,
    options: CounterfactualOptions,
    log: ClickLog,
    reading: RunReading,
    written: Written,
) -> None:
    """What new runs would be worth to the users of the log."""
    at_most_one(baseline=baseline is not None, coverage=coverage, per_unit=per_unit)
    from ireval_frames.clicks.counterfactual_evaluation import counterfactual as valued

    with working("evaluating"):
        values = valued(
            log.opened(file, by=by),
            reading.runs(runs[0] if len(runs) == 1 else [*runs]),
            " ".join(measures or ()) or "DCG@10",
            propensity=propensity,
            relevance=relevance,
            **options.arguments(),
        )
        kept(values)
        if baseline is not None:
            table = values.compare(baseline)
        elif coverage:
            table = values.coverage()
        else:
            table = values.per_unit() if per_unit else values.summary()
    written.table(table)


@command(epilog=EXAMPLES)
def propensities(
    file: LogFile,
    *,
    options: PropensityOptions,
    log: ClickLog,
    written: Written,
) -> None:
    """How likely each position is looked at."""
    from ireval_frames.clicks.counterfactual_evaluation import propensities as estimated

    with working("estimating"):
        propensities = estimated(log.opened(file), **options.arguments())
    written.table(kept(propensities).table())
