"""`ireval ratings`: the agreement of raters, their consensus, and tests of each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from ireval_frames import catalog
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Arguments, By, Measures, OutputOptions, PerUnit, Unit, Weight, at_most_one
from ireval_frames.cli.options.evaluation import TableOptions, ValueOptions
from ireval_frames.cli.output.running import capture, working
from ireval_frames.errors import InvalidParameter
from ireval_frames.ratings.options import RatingOptions

if TYPE_CHECKING:
    import polars as pl

EXAMPLES = """\b
Examples:
  ireval ratings answers.csv                                PercentAgreement FleissKappa GwetAC1 KrippendorffAlpha
  ireval ratings answers.parquet "CohenKappa(weights='linear')" --level ordinal --intervals
  ireval ratings wide.csv --raters ann,bob,cleo --level ordinal --categories bad,fair,good
  ireval ratings batch.csv --layout mturk --answer relevance --consensus dawid-skene -o labels.csv
  ireval ratings answers.csv --by-rater --gold known.csv --format csv
  ireval ratings answers.csv --level ordinal --without d --judgments query_id -o qrels.csv

\b
`ireval measures ratings` lists the measures.  Columns of CSV and TSV are text; on a scale they are numbers.
Formats: table (four decimals), and csv, json, parquet (in full).
"""
DEFAULT = "PercentAgreement FleissKappa GwetAC1 KrippendorffAlpha"


@command(epilog=EXAMPLES)
def ratings(
    table: Annotated[
        str,
        Argument(metavar="FILE", help="Ratings with item_id, rater_id and rating: CSV, JSON lines, Parquet, Arrow."),
    ],
    arguments: Arguments = None,
    measures: Measures = None,
    item: Annotated[str | None, Option("--item", metavar="COLUMN", help="The column of what is rated.")] = None,
    rater: Annotated[str | None, Option("--rater", metavar="COLUMN", help="The column of who rates.")] = None,
    rating: Annotated[str | None, Option("--rating", metavar="COLUMN", help="The column of ratings.")] = None,
    weight: Weight = None,
    layout: Annotated[
        str | None, Option("--layout", metavar="NAME", help="The layout of an export: mturk, appen or label-studio.")
    ] = None,
    answer: Annotated[
        str | None, Option("--answer", metavar="NAME", help="The question of an export whose answers are read.")
    ] = None,
    unit: Unit = None,
    by: By = None,
    per_unit: PerUnit = False,
    intervals: Annotated[bool, Option("--intervals", help="The measures with their intervals.")] = False,
    pairwise: Annotated[bool, Option("--pairwise", help="Cohen's kappa of every two raters.")] = False,
    consensus: Annotated[
        str | None, Option("--consensus", metavar="METHOD", help="A label for each item, such as dawid-skene.")
    ] = None,
    by_rater: Annotated[
        bool, Option("--by-rater", help="The accuracy of each rater, and a test against chance.")
    ] = False,
    judgments: Annotated[
        str | None,
        Option("--judgments", metavar="COLUMN", help="A grade for each item and query; the column of queries."),
    ] = None,
    gold: Annotated[str | None, Option("--gold", metavar="FILE", help="Known labels: item_id and label.")] = None,
    without: Annotated[
        list[str] | None, Option("--without", metavar="RATER", help="Leave this rater out; repeatable.")
    ] = None,
    *,
    options: RatingOptions,
    tables: TableOptions,
    out: OutputOptions,
) -> None:
    """Evaluate raters: their agreement, their consensus, and each of them."""
    at_most_one(
        per_unit=per_unit, intervals=intervals, pairwise=pairwise, by_rater=by_rater,
        **{"judgments" if judgments else "consensus": bool(judgments or consensus)},
    )  # fmt: skip
    if gold is not None and not (consensus or judgments or by_rater):
        raise InvalidParameter("--gold is for a consensus or for raters.", "Write --consensus METHOD or --by-rater.")
    parsed = catalog.parse_all([*(measures or ()), *(arguments or ())] or DEFAULT, "ratings")
    from ireval_frames import io
    from ireval_frames.items.class_types import read_number
    from ireval_frames.ratings import Ratings

    with working("evaluating"):
        source: str | pl.DataFrame = table
        if layout is not None or answer is not None:
            source = io.read_ratings(table, layout, answer=answer)
            if options.categories is not None:
                options = replace(options, categories=[read_number(c) for c in options.categories])
        subject = Ratings(
            source, item=item, rater=rater, rating=rating, weight=weight, unit=unit or (), by=by or (),
            **options.arguments(), **tables.arguments(),
        )  # fmt: skip
        subject = subject.without(without) if without else subject
        result = (
            subject.pairwise() if pairwise
            else subject.judgments(judgments, method=consensus or "majority", gold=gold) if judgments is not None
            else capture(subject.aggregate(consensus, gold=gold)).consensus() if consensus is not None
            else subject.raters(gold=gold) if by_rater
            else capture(subject.evaluate(parsed)).intervals() if intervals
            else ValueOptions(by=by, per_unit=per_unit).values(capture(subject.evaluate(parsed)), parsed)
        )  # fmt: skip
    out.result(result)
