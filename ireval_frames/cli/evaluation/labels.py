"""`ireval labels`: labels and predictions."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import polars as pl

from ireval_frames import io
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import (
    Coverage,
    Item,
    Label,
    OutputOptions,
    Prediction,
    Score,
    Weight,
    split_names,
)
from ireval_frames.cli.options.evaluation import ItemOptions, TableOptions
from ireval_frames.cli.output.running import capture, working
from ireval_frames.cli.output.tables import Format
from ireval_frames.items.class_types import literal_class
from ireval_frames.subject import request_of

if TYPE_CHECKING:
    from ireval_frames.labels import Labels
    from ireval_frames.labels.result import LabelEvaluation

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
  ireval labels raters.csv --soft-label yes=y --soft-label no=n --probability yes --probability no ICMSoft
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
            help="A long table of items and predictions; FILE is then one of items and labels.",
        ),
    ] = None,
    probability: Annotated[
        list[str] | None,
        Option(
            "--probability",
            metavar="COLUMN",
            help="The probabilities of the class of that name, or CLASS=COLUMN; repeatable. Or a FILE of them.",
        ),
    ] = None,
    soft_label: Annotated[
        list[str] | None,
        Option(
            "--soft-label",
            metavar="COLUMN",
            help="The share of the class of that name in an item's label, or CLASS=COLUMN; repeatable.",
        ),
    ] = None,
    item: Item = None,
    positive: Annotated[str | None, Option("--positive", metavar="CLASS", help="The positive class.")] = None,
    categories: Annotated[
        str | None,
        Option("--categories", metavar="A,B,C", help="The classes from low to high, for weighted kappa and CEM_ORD."),
    ] = None,
    coverage: Coverage = False,
    per_class: Annotated[bool, Option("--per-class", help="A value for every class.")] = False,
    report: Annotated[
        bool, Option("--report", help="Precision, recall, F1 and support of every class, and averages.")
    ] = False,
    classes: Annotated[
        list[str] | None,
        Option("--classes", metavar="CLASSES", help="The classes of a report, comma-separated, or 'labels'."),
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
    out: OutputOptions,
) -> None:
    """Evaluate labels and predictions."""
    items.at_most_one(
        per_class=per_class, report=report, confusion=confusion, coverage=coverage, curve=curve is not None
    )
    measures = items.parse("labels", DEFAULT)
    from ireval_frames.labels import Labels

    with working("evaluating"):
        make = functools.partial(
            Labels, table, predictions, probabilities=_columns(probability), soft_labels=_columns(soft_label),
            label=label, prediction=prediction, score=score, weight=weight, item=item, **items.groups(),
            **tables.arguments(),
        )  # fmt: skip
        subject = make()
        classes_of: dict[str, Any] = {}
        if positive is not None:
            classes_of["positive"] = literal_class(positive, request_of(subject).class_type(), "positive", text=True)
        if categories is not None:
            dtype = request_of(subject).class_type()
            classes_of["categories"] = [
                literal_class(c.strip(), dtype, "categories", text=True) for c in categories.split(",")
            ]
        subject = make(**classes_of) if classes_of else subject
        result = (
            subject.curve(curve) if curve is not None
            else subject.evaluate(measures).coverage() if coverage
            else subject.report(classes=_classes(classes, subject)) if report
            else subject.confusion() if confusion
            else _per_class(capture(subject.evaluate(measures)), wide=out.shape is Format.table) if per_class
            else items.values(capture(subject.evaluate(measures)), measures)
        )  # fmt: skip
    out.result(result)


def _per_class(evaluation: LabelEvaluation, *, wide: bool) -> pl.DataFrame:
    """A value for every class, with a row or a column per measure."""
    long: pl.DataFrame = evaluation.per_class()
    keys = [c for c in long.columns if c not in ("measure", "value")]
    return long.pivot(on="measure", index=keys, values="value", maintain_order=True) if wide else long


def _classes(texts: list[str] | None, subject: Labels) -> Any:
    """The classes of a report, in the type of the labels."""
    names = split_names(texts)
    if not names or names == ["labels"]:
        return "labels" if names else None
    dtype = request_of(subject).class_type()
    return [literal_class(name, dtype, "classes", text=True) for name in names]


def _columns(texts: list[str] | None) -> Any:
    """The probabilities: a file, or columns by class."""
    if not texts:
        return None
    if len(texts) == 1 and io.is_remote(texts[0]):
        return io.Located(texts[0])
    if len(texts) == 1 and Path(texts[0]).is_file():
        return Path(texts[0])
    pairs = [text.partition("=") for text in texts]
    return {name: column if equals else name for name, equals, column in pairs}
