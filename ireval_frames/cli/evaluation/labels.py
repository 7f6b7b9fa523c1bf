"""`ireval labels`: labels and predictions."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Annotated, Any

import polars as pl

from ireval_frames import catalog, io
from ireval_frames.class_types import literal_class
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import (
    Arguments,
    By,
    Columns,
    Coverage,
    EngineName,
    Item,
    Label,
    Measures,
    OutputFile,
    OutputFormat,
    Over,
    PerUnit,
    PolicyText,
    Prediction,
    Score,
    StorageOptions,
    Unit,
    Weight,
    at_most_one,
    mapping,
    no_trec,
    several,
    storage,
)
from ireval_frames.cli.output.capture import found as kept
from ireval_frames.cli.output.progress import working
from ireval_frames.cli.output.tables import Format, chosen, deliver, deliver_table

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
    arguments: Arguments = None,
    measures: Measures = None,
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
    column: Columns = None,
    positive: Annotated[
        str | None, Option("--positive", metavar="CLASS", help="The class that measures of one class look at.")
    ] = None,
    categories: Annotated[
        str | None,
        Option("--categories", metavar="A,B,C", help="The classes from low to high, for weighted kappa."),
    ] = None,
    unit: Unit = None,
    by: By = None,
    over: Over = None,
    per_unit: PerUnit = False,
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
    engine: EngineName = None,
    storage_option: StorageOptions = None,
    policy: PolicyText = None,
    format: OutputFormat = None,
    output: OutputFile = None,
) -> None:
    """Evaluate labels and predictions."""
    tables = {"per_class": per_class, "report": report, "confusion": confusion, "coverage": coverage}
    at_most_one(per_unit=per_unit, **tables, curve=curve is not None)
    asked = catalog.parse_all([*(measures or ()), *(arguments or ())] or DEFAULT, "labels")
    shape = no_trec(chosen(format, output))
    from ireval_frames.labels import Labels

    with working("evaluating"):
        made = functools.partial(
            Labels, table, predictions, probabilities=_columns(probability),
            label=label, prediction=prediction, score=score, weight=weight, item=item,
            unit=unit or (), by=by or (), columns=mapping(column), engine=engine, policy=policy,
            storage_options=storage(storage_option),
        )  # fmt: skip
        subject = made()
        more: dict[str, Any] = {}
        if positive is not None:
            more["positive"] = literal_class(positive, subject.class_type(), "positive", text=True)
        if categories is not None:
            kind = subject.class_type()
            more["categories"] = [
                literal_class(c.strip(), kind, "categories", text=True) for c in categories.split(",")
            ]
        subject = made(**more) if more else subject
        wanted: pl.DataFrame | None = None
        if curve is not None:
            wanted = subject.curve(curve)
        elif coverage:
            wanted = subject.evaluate(asked).coverage()
        elif report or confusion:
            wanted = subject.report(classes=_classes(classes, subject)) if report else subject.confusion()
        else:
            evaluation = kept(subject.evaluate(asked))
            if per_class:
                long = evaluation.per_class()
                keys = [c for c in long.columns if c not in ("measure", "value")]
                wanted = (
                    long
                    if shape is not Format.table
                    else long.pivot(on="measure", index=keys, values="value", maintain_order=True)
                )
            else:
                summary, units = evaluation.summary(over=over or ()), evaluation.per_unit() if per_unit else None
    if wanted is not None:
        deliver_table(wanted, shape, output)
        return
    deliver(summary, units, asked, shape, output)


def _classes(given: list[str] | None, subject: Any) -> Any:
    """The classes of a report, in the type of the labels."""
    named = several(given)
    if not named or named == ["labels"]:
        return "labels" if named else None
    dtype = subject.class_type()
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
