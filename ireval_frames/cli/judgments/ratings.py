"""`ireval ratings`: how far raters agree, what they say together, and who did not look."""

from __future__ import annotations

from typing import Annotated

from ireval_frames import catalog
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Arguments, By, Measures, PerUnit, Unit, Weight, Written, at_most_one
from ireval_frames.cli.options.evaluation import TableOptions, ValueOptions
from ireval_frames.cli.output.capture import found as kept
from ireval_frames.cli.output.progress import working
from ireval_frames.errors import InvalidParameter

EXAMPLES = """\b
Examples:
  ireval ratings answers.csv                                PercentAgreement FleissKappa GwetAC1 KrippendorffAlpha
  ireval ratings answers.parquet "CohenKappa(weights='linear')" --level ordinal --intervals
  ireval ratings wide.csv --raters ann,bob,cleo --level ordinal --categories bad,fair,good
  ireval ratings batch.csv --layout mturk --answer relevance --consensus dawid-skene -o labels.csv
  ireval ratings answers.csv --by-rater --gold known.csv --format csv
  ireval ratings answers.csv --level ordinal --without d --judgments query_id -o qrels.csv
  ireval ratings battles.csv --strengths bradley-terry

\b
`ireval measures ratings` lists the measures.  The columns of CSV and TSV are text; on a scale they are numbers.
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
    raters: Annotated[
        str | None, Option("--raters", metavar="COLUMNS", help="Of a wide table: a column for each rater.")
    ] = None,
    level: Annotated[
        str, Option("--level", metavar="LEVEL", help="nominal (default), ordinal, interval or ratio.")
    ] = "nominal",
    categories: Annotated[
        str | None, Option("--categories", metavar="A,B,C", help="The scale, from low to high.")
    ] = None,
    layout: Annotated[
        str | None, Option("--layout", metavar="NAME", help="Of an export: mturk, appen or label-studio.")
    ] = None,
    answer: Annotated[
        str | None, Option("--answer", metavar="NAME", help="Of an export: the question that is read.")
    ] = None,
    unit: Unit = None,
    by: By = None,
    per_unit: PerUnit = False,
    intervals: Annotated[bool, Option("--intervals", help="The measures with their intervals.")] = False,
    pairwise: Annotated[bool, Option("--pairwise", help="Cohen's kappa of every two raters.")] = False,
    consensus: Annotated[
        str | None, Option("--consensus", metavar="METHOD", help="A label for each item, such as dawid-skene.")
    ] = None,
    by_rater: Annotated[bool, Option("--by-rater", help="What tells of each rater.")] = False,
    judgments: Annotated[
        str | None,
        Option("--judgments", metavar="COLUMN", help="A grade for each item of the queries of this column."),
    ] = None,
    strengths: Annotated[
        str | None,
        Option("--strengths", metavar="MODEL", help="Of a table of item_a, item_b, winner: bradley-terry …"),
    ] = None,
    gold: Annotated[
        str | None, Option("--gold", metavar="FILE", help="Labels that are known: item_id and label.")
    ] = None,
    without: Annotated[
        list[str] | None, Option("--without", metavar="RATER", help="Leave this rater out; as often as wanted.")
    ] = None,
    distances: Annotated[
        str | None, Option("--distances", metavar="FILE", help="Of categories: rating, other_rating, distance.")
    ] = None,
    *,
    tables: TableOptions,
    written: Written,
) -> None:
    """Evaluate raters: their agreement, their consensus, and each of them."""
    at_most_one(
        per_unit=per_unit, intervals=intervals, pairwise=pairwise, by_rater=by_rater, strengths=strengths is not None,
        **{"judgments" if judgments else "consensus": bool(judgments or consensus)},
    )  # fmt: skip
    if gold is not None and not (consensus or judgments or by_rater):
        raise InvalidParameter(
            "--gold is read by a consensus and of raters.", "Write --consensus METHOD or --by-rater."
        )
    asked = catalog.parse_all([*(measures or ()), *(arguments or ())] or DEFAULT, "ratings")
    from ireval_frames import io
    from ireval_frames.items.class_types import read_number
    from ireval_frames.ratings import PairedComparisons, Ratings

    if strengths is not None:
        if len(unit or ()) > 1:
            raise InvalidParameter("--unit names several columns.", "Comparisons have one column of units.")
        with working("estimating"):
            pairs = PairedComparisons(
                table, unit=unit[0] if unit else None, by=by or (), engine=tables.engine, columns=tables.columns
            )
            strong = pairs.strengths(strengths)
        written.table(strong)
        return
    scale = None if categories is None else [c.strip() for c in categories.split(",")]
    with working("evaluating"):
        given = table if layout is None and answer is None else io.read_ratings(table, layout, answer=answer)
        if scale is not None and given is not table:
            scale = [read_number(c) for c in scale]
        subject = Ratings(
            given, item=item, rater=rater, rating=rating, weight=weight,
            raters=raters.split(",") if raters else (), level=level, categories=scale, unit=unit or (), by=by or (),
            distances=distances, **tables.arguments(),
        )  # fmt: skip
        subject = subject.without(without) if without else subject
        found = (
            subject.pairwise() if pairwise
            else subject.judgments(judgments, method=consensus or "majority", gold=gold) if judgments is not None
            else kept(subject.aggregate(consensus, gold=gold)).consensus() if consensus is not None
            else subject.raters(gold=gold) if by_rater
            else kept(subject.evaluate(asked)).intervals() if intervals
            else ValueOptions(by=by, per_unit=per_unit).values(kept(subject.evaluate(asked)), asked)
        )  # fmt: skip
    written.result(found)
