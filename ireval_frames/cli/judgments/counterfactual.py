"""`ireval clicks LOG counterfactual` and `propensities`: new runs, valued by the clicks of a log."""

from __future__ import annotations

from typing import Annotated

import typer

from ireval_frames.cli.judgments.clicks import clicks
from ireval_frames.cli.options.bundles import spread
from ireval_frames.cli.options.click_log import ClickLog
from ireval_frames.cli.options.common import By, Confidence, Measures, PerUnit, Written, at_most_one
from ireval_frames.cli.options.reading import RunReading
from ireval_frames.cli.output.capture import found as kept
from ireval_frames.cli.output.progress import working

EXAMPLES = """\b
Examples:
  ireval clicks log.parquet propensities -o propensities.csv
  ireval clicks log.parquet counterfactual new.run -m DCG@10 --propensity propensities.csv
  ireval clicks log.parquet counterfactual runs/*.run --propensity p.csv -e "IPS SNIPS DR" --cluster user
  ireval clicks log.parquet counterfactual runs/*.run --propensity p.csv --baseline bm25
  ireval clicks log.parquet counterfactual new.run --propensity p.csv --coverage

\b
Without --propensity the log has a column of that name.
"""
Cluster = Annotated[str | None, typer.Option("--cluster", help="What is drawn independently: page, user …")]


@clicks.command(epilog=EXAMPLES)
@spread
def counterfactual(
    context: typer.Context,
    runs: Annotated[list[str], typer.Argument(metavar="RUN", help="New rankings: runs, patterns.")],
    measures: Measures = None,
    propensity: Annotated[
        str | None, typer.Option("--propensity", metavar="FILE", help="A table of position and propensity.")
    ] = None,
    estimators: Annotated[str, typer.Option("--estimators", "-e", help="Which estimators.")] = "IPS SNIPS",
    relevance: Annotated[
        str | None, typer.Option("--relevance", metavar="FILE", help="For DM and DR: query_id, doc_id, relevance.")
    ] = None,
    cluster: Cluster = None,
    baseline: Annotated[str | None, typer.Option("--baseline", help="Each run against this one.")] = None,
    coverage: Annotated[bool, typer.Option("--coverage", help="What of the runs was ever shown.")] = False,
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
    from ireval_frames.clicks.counterfactual import counterfactual as valued

    with working("evaluating"):
        found = valued(
            log.opened(context.obj, by=by),
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


@clicks.command(epilog=EXAMPLES)
@spread
def propensities(
    context: typer.Context,
    method: Annotated[
        str, typer.Option("--method", help="pivot, adjacent, all_pairs, randomised or swaps.")
    ] = "all_pairs",
    reference: Annotated[int, typer.Option("--reference", help="The position whose propensity is 1.")] = 1,
    swap: Annotated[str | None, typer.Option("--swap", metavar="COLUMN", help="For swaps: the other position.")] = None,
    cluster: Cluster = None,
    confidence: Confidence = 0.95,
    *,
    log: ClickLog,
    written: Written,
) -> None:
    """How likely each position is looked at."""
    from ireval_frames.clicks.counterfactual import propensities as estimated

    with working("estimating"):
        subject = log.opened(context.obj)
        found = estimated(subject, method, reference=reference, swap=swap, cluster=cluster, confidence=confidence)
    written.table(kept(found).table())
