"""`ireval labels`: labels and predictions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import narwhals.stable.v2 as nw
import polars as pl
import typer

from ireval_frames import catalog
from ireval_frames.cli.output import Format, chosen, deliver, deliver_table
from ireval_frames.cli.progress import working
from ireval_frames.errors import InvalidParameter, IrevalError

EXAMPLES = """\b
Examples:
  ireval labels items.csv                                   Accuracy, and F1 over classes
  ireval labels items.parquet "F1(average='macro') MCC" --label gold --prediction guess
  ireval labels items.csv --positive spam -m "Precision Recall Lam"
  ireval labels items.parquet --report --by segment
  ireval labels items.csv --confusion --format csv
  ireval labels items.csv -m "F1(average='macro')" --per-class -o classes.parquet
  ireval labels counts.csv --weight count                   a confusion table
  ireval labels gold.csv --predictions guesses.csv "F1(average='item')"
  ireval labels items.csv --probability cat --probability dog "TopK@1 LogLoss"
  ireval labels items.csv --curve roc --positive yes -o roc.csv

\b
`ireval measures` lists the measures.  The columns of CSV and TSV are text.  Formats: table (four
decimals), and csv, json, parquet (in full).
"""
DEFAULT = "Accuracy F1(average='macro') F1(average='weighted')"


def labels(
    table: Annotated[str, typer.Argument(metavar="FILE", help="Items with label and prediction: CSV, TSV, JSON lines, Parquet, Arrow.")],
    arguments: Annotated[list[str] | None, typer.Argument(metavar="[MEASURES]", help="Measures.")] = None,
    measures: Annotated[list[str] | None, typer.Option("-m", "--measure", metavar="TEXT", help="Measures, one or several; repeatable.")] = None,
    label: Annotated[str | None, typer.Option("--label", metavar="COLUMN", help="The column of labels.")] = None,
    prediction: Annotated[str | None, typer.Option("--prediction", metavar="COLUMN", help="The column of predictions.")] = None,
    score: Annotated[str | None, typer.Option("--score", metavar="COLUMN", help="The column of scores.")] = None,
    weight: Annotated[str | None, typer.Option("--weight", metavar="COLUMN", help="The column of weights, or of counts.")] = None,
    predictions: Annotated[
        str | None, typer.Option("--predictions", metavar="FILE", help="A long table of item and prediction; FILE then is one of item and label.")
    ] = None,
    probability: Annotated[
        list[str] | None,
        typer.Option("--probability", metavar="COLUMN", help="A class's probabilities, named as it or CLASS=COLUMN; repeatable. Or a FILE of them."),
    ] = None,
    item: Annotated[str | None, typer.Option("--item", metavar="COLUMN", help="The column of ids.")] = None,
    positive: Annotated[str | None, typer.Option("--positive", metavar="CLASS", help="The class that measures of one class look at.")] = None,
    unit: Annotated[list[str] | None, typer.Option("--unit", metavar="COLUMN", help="Evaluate groups by this column and average.")] = None,
    by: Annotated[list[str] | None, typer.Option("--by", metavar="COLUMN", help="Group by this column; repeatable.")] = None,
    per_unit: Annotated[bool, typer.Option("--per-unit", "-q", help="A value for every unit.")] = False,
    per_class: Annotated[bool, typer.Option("--per-class", help="A value for every class.")] = False,
    report: Annotated[bool, typer.Option("--report", help="Precision, recall, F1 and support of every class, and averages.")] = False,
    confusion: Annotated[bool, typer.Option("--confusion", help="The confusion table.")] = False,
    curve: Annotated[
        str | None,
        typer.Option("--curve", metavar="KIND", help="roc, precision-recall, det, gain, thresholds or calibration: the curve of the scores."),
    ] = None,
    policy: Annotated[str | None, typer.Option("--policy", metavar="TEXT", help="A preset and field=value pairs, comma-separated.")] = None,
    format: Annotated[Format | None, typer.Option("--format", "-f", help="How to write the result; by default as -o's name tells.")] = None,
    output: Annotated[str | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file, whole or not at all.")] = None,
) -> None:
    """Evaluate labels and predictions."""
    if per_unit + per_class + report + confusion + (curve is not None) > 1:
        raise InvalidParameter("--per-unit, --per-class, --report, --confusion and --curve are results of their own.", "Ask for one of them.")
    asked = catalog.parse_all([*(measures or ()), *(arguments or ())] or DEFAULT, "labels")
    shape = chosen(format, output)
    if shape is Format.trec:
        raise InvalidParameter("trec_eval's columns are those of rankings.", "Write --format csv")
    from ireval_frames.labels import Labels

    with working("evaluating"), _options_in_hints():
        subject = Labels(
            table, predictions, probabilities=_columns(probability), label=label, prediction=prediction, score=score, weight=weight, item=item,
            unit=unit or (), by=by or (), policy=policy,
        )  # fmt: skip
        if positive is not None:
            subject.positive = positive if subject.class_type == nw.String else _number(positive)
        wanted: pl.DataFrame | None = None
        if curve is not None:
            wanted = subject.curve(curve)
        elif report or confusion:
            wanted = subject.report() if report else subject.confusion()
        else:
            evaluation = subject.evaluate(asked)
            if per_class:
                long = evaluation.per_class()
                keys = [c for c in long.columns if c not in ("measure", "value")]
                wanted = long if shape is not Format.table else long.pivot(on="measure", index=keys, values="value", maintain_order=True)
            else:
                summary, units = evaluation.summary(), evaluation.per_unit() if per_unit else None
    if wanted is not None:
        deliver_table(wanted, shape, output)
        return
    deliver(summary, units, asked, shape, output)


def _columns(given: list[str] | None) -> Any:
    """The probabilities: a file, or columns by class."""
    if not given:
        return None
    if len(given) == 1 and Path(given[0]).is_file():
        return Path(given[0])
    pairs = [name.partition("=") for name in given]
    return {of: column if equals else of for of, equals, column in pairs}


@contextmanager
def _options_in_hints() -> Iterator[None]:
    """The lines to write in errors speak of options, not of Python."""
    try:
        yield
    except IrevalError as error:
        hint = re.sub(r"ir\.Labels\(…, (.*?)\)(?=$|[,.;])", r"\1", error.hint)
        hint = re.sub(r"probabilities=\[(.*?)\]", lambda m: " ".join(f"--probability {c.strip(chr(39))}" for c in m[1].split(", ")), hint)
        hint = re.sub(r"\b(label|prediction|score|weight|item|positive|policy)=[\"']?([\w=.,-]+)[\"']?", r"--\1 \2", hint)
        raise type(error)(error.what, hint.replace("per_class()", "--per-class")) from error


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidParameter(f"--positive is {text!r}, but the labels are numbers.", "Write --positive 1") from None
