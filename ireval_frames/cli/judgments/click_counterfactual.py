"""`ireval clicks counterfactual LOG` and `propensities`: new runs, valued by the clicks of a log."""

from __future__ import annotations

from typing import Annotated

from ireval_frames.cli.options.click_log import ClickLog, LogFile
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import By, Confidence, Measures, PerUnit, Written, at_most_one
from ireval_frames.cli.options.reading import RunReading
from ireval_frames.cli.output.capture import found as kept
from ireval_frames.cli.output.progress import working

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
Cluster = Annotated[str | None, Option("--cluster", help="What is drawn independently: page, user …")]


@command(epilog=EXAMPLES)
def counterfactual(
    file: LogFile,
    runs: Annotated[list[str], Argument(metavar="RUN", help="New rankings: runs, patterns.")],
    measures: Measures = None,
    propensity: Annotated[
        str | None, Option("--propensity", metavar="FILE", help="A table of position and propensity.")
    ] = None,
    estimators: Annotated[str, Option("--estimators", "-e", help="Which estimators.")] = "IPS SNIPS",
    relevance: Annotated[
        str | None, Option("--relevance", metavar="FILE", help="For DM and DR: query_id, doc_id, relevance.")
    ] = None,
    cluster: Cluster = None,
    baseline: Annotated[str | None, Option("--baseline", help="Each run against this one.")] = None,
    coverage: Annotated[bool, Option("--coverage", help="What of the runs was ever shown.")] = False,
    per_unit: PerUnit = False,
    by: By = None,
    confidence: Confidence = 0.95,
    *,
    log: ClickLog,
    reading: RunReading,
    written: Written,
) -> None:
    """What new runs would be worth to the users of the log."""
    at_most_one(baseline=baseline is not None, coverage=coverage, per_unit=per_unit)
    from ireval_frames.clicks.counterfactual_evaluation import counterfactual as valued

    with working("evaluating"):
        found = valued(
            log.opened(file, by=by),
            reading.runs(runs[0] if len(runs) == 1 else [*runs]),
            " ".join(measures or ()) or "DCG@10",
            propensity=propensity,
            estimators=estimators,
            relevance=relevance,
            cluster=cluster or "page",
            confidence=confidence,
        )
        kept(found)
        if baseline is not None:
            table = found.compare(baseline)
        elif coverage:
            table = found.coverage()
        else:
            table = found.per_unit() if per_unit else found.summary()
    written.table(table)


@command(epilog=EXAMPLES)
def propensities(
    file: LogFile,
    method: Annotated[str, Option("--method", help="pivot, adjacent, all_pairs, randomised or swaps.")] = "all_pairs",
    reference: Annotated[int, Option("--reference", help="The position whose propensity is 1.")] = 1,
    swap: Annotated[str | None, Option("--swap", metavar="COLUMN", help="For swaps: the other position.")] = None,
    cluster: Cluster = None,
    confidence: Confidence = 0.95,
    *,
    log: ClickLog,
    written: Written,
) -> None:
    """How likely each position is looked at."""
    from ireval_frames.clicks.counterfactual_evaluation import propensities as estimated

    with working("estimating"):
        subject = log.opened(file)
        found = estimated(subject, method, reference=reference, swap=swap, cluster=cluster, confidence=confidence)
    written.table(kept(found).table())
