"""`ireval clicks experiment`: A/B tests of a click log."""

from __future__ import annotations

from typing import Annotated

from ireval_frames.cli.comparison.experiment_options import Questions, Variants
from ireval_frames.cli.options.click_log import ClickLog, LogFile
from ireval_frames.cli.options.command import Option, command
from ireval_frames.cli.output.progress import working
from ireval_frames.experiments.options import AnalysisOptions

EXAMPLES = """\b
Examples:
  ireval clicks experiment log.parquet --baseline a          CTR, abandonment, MRR of first clicks
  ireval clicks experiment log.parquet -m "Ratio(clicks, pages)" --by device
  ireval clicks experiment log.parquet --judgments qrels.txt --cutoff 5
  ireval clicks experiment log.parquet --check

\b
The rows are pages with pages (1), shown, clicks, clicked, abandoned and first_click; users are what is
randomised.  `ireval experiment --help` tells of metrics and of tables that are no click logs.
"""


@command(epilog=EXAMPLES)
def experiment(
    file: LogFile,
    unit: Annotated[
        str | None, Option("--unit", metavar="COLUMN", help="What was randomised; users by default.")
    ] = None,
    judgments: Annotated[
        str | None, Option("--judgments", metavar="QRELS", help="Adds nDCG, the mean over judged pages.")
    ] = None,
    cutoff: Annotated[int, Option("--cutoff", help="Of the nDCG of --judgments.")] = 10,
    *,
    variants: Variants,
    analysis: AnalysisOptions,
    questions: Questions,
    log: ClickLog,
) -> None:
    """Analyse the log as an A/B test of users."""
    with working("analysing"):
        found = log.opened(file).experiment(
            variants.variant, unit=unit, baseline=analysis.baseline, time=variants.time, by=variants.by or (),
            units=variants.units, several_variants=variants.several_variants, judgments=judgments, cutoff=cutoff,
        )  # fmt: skip
        answer = questions.answer(found, analysis)
    questions.deliver(answer)
