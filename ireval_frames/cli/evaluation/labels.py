"""`ireval labels`: labels and predictions."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Annotated, Any

import polars as pl

from ireval_frames import io
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import Coverage, Item, Label, Prediction, Score, Weight, Written, several
from ireval_frames.cli.options.evaluation import ItemOptions, TableOptions
from ireval_frames.cli.output.capture import found as kept
from ireval_frames.cli.output.progress import working
from ireval_frames.cli.output.tables import Format
from ireval_frames.items.class_types import literal_class
from ireval_frames.subject import request_of

EXAMPLES = """\b
Examples:
  ireval labels items.csv                                   Accuracy, and F1 over classes
  ireval labels items.parquet "F1(average='macro') MCC" --label gold --prediction guess
  ireval labels items.csv --positive dog -m "Precision Recall Lam"
  ireval labels items.parquet --report --by segment
  ireval labels items.csv --confusion --format csv
  ireval labels items.csv -m "F1(average='macro')" --per-class -o classes.parquet
  ireval labels counts.csv --weight count                   a confusion table
  ireval labels gold.csv --predictions guesses.csv "F1(average='item')"
  ireval labels items.csv --probability cat --probability dog "TopK@1 LogLoss"
  ireval labels items.csv --curve roc --positive dog -o roc.csv

\b
`ireval measures` lists the measures.  The columns of CSV and TSV are text.  Formats: table (four
decimals), and csv, json, parquet (in full).
"""
DEFAULT = "Accuracy F1(average='macro') F1(average='weighted')"


@command(epilog=EXAMPLES)
def labels(
    table: Annotated[
        str,
        Argument(metavar="FILE", help="Items with label and prediction: CSV, TSV, JSON lines, Parquet, Arrow."),
    ],
    label: Label = None,
    prediction: Prediction = None,
    score: Score = None,
    weight: Weight = None,
    predictions: Annotated[
        str | None,
        Option(
            "--predictions",
            metavar="FILE",
            help="A long table of item and prediction; FILE then is one of item and label.",
        ),
    ] = None,
    probability: Annotated[
        list[str] | None,
        Option(
            "--probability",
            metavar="COLUMN",
            help="A class's probabilities, named as it or CLASS=COLUMN; repeatable. Or a FILE of them.",
        ),
    ] = None,
    item: Item = None,
    positive: Annotated[
        str | None, Option("--positive", metavar="CLASS", help="The class that measures of one class look at.")
    ] = None,
    categories: Annotated[
        str | None,
        Option("--categories", metavar="A,B,C", help="The classes from low to high, for weighted kappa."),
    ] = None,
    coverage: Coverage = False,
    per_class: Annotated[bool, Option("--per-class", help="A value for every class.")] = False,
    report: Annotated[
        bool, Option("--report", help="Precision, recall, F1 and support of every class, and averages.")
    ] = False,
    classes: Annotated[
        list[str] | None,
        Option("--classes", metavar="CLASSES", help="Of a report only these classes, comma-separated, or 'labels'."),
    ] = None,
    confusion: Annotated[bool, Option("--confusion", help="The confusion table.")] = False,
    curve: Annotated[
        str | None,
        Option(
            "--curve",
            metavar="KIND",
            help="roc, precision-recall, det, gain, thresholds, calibration or risk-coverage: the curve of the scores.",
        ),
    ] = None,
    *,
    items: ItemOptions,
    tables: TableOptions,
    written: Written,
) -> None:
    """Evaluate labels and predictions."""
    items.at_most_one(
        per_class=per_class, report=report, confusion=confusion, coverage=coverage, curve=curve is not None
    )
    measures = items.parsed("labels", DEFAULT)
    from ireval_frames.labels import Labels

    with working("evaluating"):
        made = functools.partial(
            Labels, table, predictions, probabilities=_columns(probability), label=label, prediction=prediction,
            score=score, weight=weight, item=item, **items.groups(), **tables.arguments(),
        )  # fmt: skip
        subject = made()
        more: dict[str, Any] = {}
        if positive is not None:
            more["positive"] = literal_class(positive, request_of(subject).class_type(), "positive", text=True)
        if categories is not None:
            kind = request_of(subject).class_type()
            more["categories"] = [
                literal_class(c.strip(), kind, "categories", text=True) for c in categories.split(",")
            ]
        subject = made(**more) if more else subject
        found = (
            subject.curve(curve) if curve is not None
            else subject.evaluate(measures).coverage() if coverage
            else subject.report(classes=_classes(classes, subject)) if report
            else subject.confusion() if confusion
            else _per_class(kept(subject.evaluate(measures)), wide=written.shape is Format.table) if per_class
            else items.values(kept(subject.evaluate(measures)), measures)
        )  # fmt: skip
    written.result(found)


def _per_class(evaluation: Any, *, wide: bool) -> pl.DataFrame:
    """A value for every class, a row or a column per measure."""
    long: pl.DataFrame = evaluation.per_class()
    keys = [c for c in long.columns if c not in ("measure", "value")]
    return long.pivot(on="measure", index=keys, values="value", maintain_order=True) if wide else long


def _classes(given: list[str] | None, subject: Any) -> Any:
    """The classes of a report, in the type of the labels."""
    named = several(given)
    if not named or named == ["labels"]:
        return "labels" if named else None
    dtype = request_of(subject).class_type()
    return [literal_class(name, dtype, "classes", text=True) for name in named]


def _columns(given: list[str] | None) -> Any:
    """The probabilities: a file, or columns by class."""
    if not given:
        return None
    if len(given) == 1 and io.is_remote(given[0]):
        return io.Located(given[0])
    if len(given) == 1 and Path(given[0]).is_file():
        return Path(given[0])
    pairs = [name.partition("=") for name in given]
    return {of: column if equals else of for of, equals, column in pairs}
