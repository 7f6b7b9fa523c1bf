"""`ireval segmentation`: documents divided into segments."""

from __future__ import annotations

from typing import Annotated

from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Coverage, OutputOptions
from ireval_frames.cli.options.documents import DocumentOptions
from ireval_frames.cli.options.evaluation import TableOptions
from ireval_frames.cli.output.running import capture, working

EXAMPLES = """\b
Examples:
  ireval segmentation talks.csv                         Pk WindowDiff BoundaryF BoundarySimilarity
  ireval segmentation talks.parquet "Pk@3 WindowDiff(padded=True)" --gold topic --predicted detected
  ireval segmentation gold.csv Pk --system predicted.csv --documents documents.csv --by genre
  ireval segmentation talks.csv Pk --policy nltk -q -o values.parquet
  ireval segmentation annotated.csv BoundarySimilarity --rater coder

\b
Files have a row per position of a document, with doc_id, position, gold_segment and segment;
or boundaries alone, whose position is the number of positions before them, and --documents
has the length of each.  `ireval measures segmentation` lists the measures.
Formats: table (four decimals), and csv, json, parquet (in full).
"""
DEFAULT = "Pk WindowDiff BoundaryF BoundarySimilarity"


@command(epilog=EXAMPLES)
def segmentation(
    table: Annotated[
        str,
        Argument(metavar="FILE", help="Positions with their segments, or the gold's: CSV, TSV, JSON lines, Parquet."),
    ],
    system: Annotated[
        str | None, Option("--system", metavar="FILE", help="A second table, of predicted segments or boundaries.")
    ] = None,
    position: Annotated[str | None, Option("--position", metavar="COLUMN", help="The column of positions.")] = None,
    gold: Annotated[str | None, Option("--gold", metavar="COLUMN", help="The column of gold segments.")] = None,
    predicted: Annotated[
        str | None, Option("--predicted", metavar="COLUMN", help="The column of predicted segments.")
    ] = None,
    rater: Annotated[
        str | None, Option("--rater", metavar="COLUMN", help="The column of annotators, of which pairs are compared.")
    ] = None,
    coverage: Coverage = False,
    *,
    items: DocumentOptions,
    tables: TableOptions,
    out: OutputOptions,
) -> None:
    """Evaluate segmentations of documents: where segments begin."""
    items.at_most_one(coverage=coverage)
    measures = items.parse("segmentation", DEFAULT)
    from ireval_frames.segmentation import Segmentation

    with working("evaluating"):
        subject = Segmentation(
            table, system, position=position, gold=gold, predicted=predicted, rater=rater, **items.of_subject(),
            **tables.arguments(),
        )  # fmt: skip
        result = (
            # Of boundaries alone as well.
            subject.evaluate("BoundaryF").coverage() if coverage
            else items.values(capture(subject.evaluate(measures)), measures)
        )  # fmt: skip
    out.result(result)
