"""Files of platforms where people rate, as tables of ratings."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from ireval_frames.errors import (
    Argument,
    Hint,
    InvalidParameter,
    MalformedFile,
    MissingColumn,
    UnknownName,
    listed,
    nearest,
)
from ireval_frames.io.any_table import scan_table
from ireval_frames.io.collected import collected
from ireval_frames.io.json.label_studio import is_export, label_studio, tasks

# Amazon Mechanical Turk's names of the columns that are no answers.
MTURK_ITEM, MTURK_RATER, MTURK_ANSWER = "HITId", "WorkerId", "Answer."
# All answers of an assignment as one text of JSON.
MTURK_JSON = "Answer.taskAnswers"
# From here on floats do not represent every whole number.
LARGEST = 2.0**53


def read_ratings(
    path: str | os.PathLike[str], layout: str | None = None, *, answer: str | None = None, item: str | None = None
) -> pl.DataFrame:
    """The ratings of a file that a platform exported.

    Args:
        path: the file.
        layout: "mturk" (batch results of Amazon Mechanical Turk), "appen" (full reports of Appen, Figure Eight and
            CrowdFlower), "label-studio" (JSON, also the short one), or "table" (any table); by default recognised by
            its columns.
        answer: the question whose answers are read, where there are several: of MTurk without "Answer.", of Appen the
            column, of Label Studio the name of the control.  Label Studio's choices, taxonomies (a path with slashes),
            ratings, numbers, times, pairwise choices ("left" or "right") and texts are answers; several of them have
            bars between.
        item: the column that names items, where it is not the platform's.

    Returns:
        item_id rater_id rating, and where the platform has them seconds (per answer), time (when), trust (of Appen)
        and gold.  Rejected and cancelled answers are left out; ids and answers are text, answers that are all numbers
        numbers.

    Raises:
        FileError, MalformedFile: the file cannot be read.
        MissingColumn: it has no such columns.
        UnknownName, InvalidParameter: there is no such layout, or there are several questions.
        NotDefined: a control of Label Studio marks regions or orders items, is about regions, or is not known.
    """
    name = layout or _guessed(path)
    if name not in LAYOUTS:
        raise UnknownName(f"There is no layout {layout!r} of ratings.", nearest(str(layout), list(LAYOUTS)))
    ratings = LAYOUTS[name](path, answer, item)
    if name == "table":
        return ratings
    numbers = (
        ratings["rating"].cast(pl.Float64, strict=False) if ratings.schema["rating"] == pl.String else ratings["rating"]
    )
    there = numbers.drop_nulls()
    # Numbers that a float does not represent stay text, as "nan" does.
    exact = bool(((there.abs() < LARGEST) & there.is_finite()).all())
    if len(there) and exact and numbers.null_count() == ratings["rating"].null_count():
        integers = bool((there == there.floor()).all())
        ratings = ratings.with_columns(rating=numbers.cast(pl.Int64) if integers else numbers)
    return ratings


def _guessed(path: str | os.PathLike[str]) -> str:
    if str(path).lower().endswith(".json"):
        return "label-studio" if is_export(tasks(path)) else "table"
    columns = scan_table(path).collect_schema().names()
    if MTURK_RATER in columns:
        return "mturk"
    return "appen" if {"_worker_id", "_unit_id"} & set(columns) else "table"


def _table(path: str | os.PathLike[str], answer: str | None, item: str | None) -> pl.DataFrame:
    frame = collected(scan_table(path), path)
    named = {k: v for k, v in {answer: "rating", item: "item_id"}.items() if k is not None}
    _has(frame, *named)
    return frame.rename(named)


def _mturk(path: str | os.PathLike[str], answer: str | None, item: str | None) -> pl.DataFrame:
    frame = collected(scan_table(path), path)
    item = item or MTURK_ITEM
    _has(frame, item, MTURK_RATER)
    if MTURK_JSON in frame.columns:
        frame = _unfolded(frame)
    answers = [c for c in frame.columns if c.startswith(MTURK_ANSWER)]
    column = _one(
        answers if answer is None else [MTURK_ANSWER + answer.removeprefix(MTURK_ANSWER)], frame, MTURK_ANSWER
    )
    if "AssignmentStatus" in frame.columns:
        frame = frame.filter(pl.col("AssignmentStatus") != "Rejected")
    more = {"seconds": "WorkTimeInSeconds", "time": "SubmitTime"}
    return _chosen(frame, item, MTURK_RATER, column, more)


def _unfolded(frame: pl.DataFrame) -> pl.DataFrame:
    """A column for each question of answers that are JSON in one column.

    Raises:
        MalformedFile: a text is no such JSON.
    """
    rows = []
    for text in frame[MTURK_JSON]:
        try:
            answers = json.loads(text or "[]")
            parts = answers if isinstance(answers, list) else [answers]
            rows.append({name: _worded(value) for part in parts for name, value in part.items()})
        except (ValueError, AttributeError, RecursionError):
            raise MalformedFile(
                f"{MTURK_JSON} holds {text[:40]!r}, which are no answers.", "Leave out its row, or export again."
            ) from None
    names = dict.fromkeys(name for row in rows for name in row)
    columns = [pl.Series(MTURK_ANSWER + n, [r.get(n) for r in rows], dtype=pl.String) for n in names]
    return frame.drop(MTURK_JSON, *(c.name for c in columns if c.name in frame.columns)).with_columns(columns)


def _worded(value: Any) -> str | None:
    """An answer as text: for boxes and buttons the names of those that are on, joined by a bar."""
    if isinstance(value, Mapping):
        named = value.get("label", value.get("labels"))
        value = [name for name, on in value.items() if on is True] if named is None else named
    if isinstance(value, list):
        return "|".join(map(str, value)) or None
    return None if value is None else str(value)


def _appen(path: str | os.PathLike[str], answer: str | None, item: str | None) -> pl.DataFrame:
    frame = collected(scan_table(path), path)
    item = item or "_unit_id"
    if "_worker_id" not in frame.columns and "_unit_id" in frame.columns:
        raise MissingColumn(
            "This is an aggregated report: a row per item, and nothing of who rated.", "Export the full report."
        )
    _has(frame, item, "_worker_id")
    golds = [c for c in frame.columns if c.endswith("_gold")]
    answers = [c.removesuffix("_gold") for c in golds if c.removesuffix("_gold") in frame.columns]
    column = _one(answers if answer is None else [answer], frame, "")
    if "_tainted" in frame.columns:
        frame = frame.filter(pl.col("_tainted").str.to_lowercase() != "true")
    if {"_started_at", "_created_at"} <= set(frame.columns):
        began, ended = (
            frame[c].str.to_datetime("%m/%d/%Y %H:%M:%S", strict=False) for c in ("_started_at", "_created_at")
        )
        frame = frame.with_columns(_seconds=(ended - began).dt.total_seconds().cast(pl.String))
    more = {"seconds": "_seconds", "time": "_created_at", "trust": "_trust", "gold": f"{column}_gold"}
    return _chosen(frame, item, "_worker_id", column, more)


def _label_studio(path: str | os.PathLike[str], answer: str | None, item: str | None) -> pl.DataFrame:
    schema = {"item_id": pl.String, "rater_id": pl.String, "rating": pl.String, "seconds": pl.Float64}
    return pl.DataFrame([row[1:] for row in label_studio(path, answer, item)], schema=schema, orient="row")


def _chosen(frame: pl.DataFrame, item: str, rater: str, answer: str, more: Mapping[str, str]) -> pl.DataFrame:
    numbers = ("seconds", "trust")
    others = {
        k: pl.col(v).cast(pl.Float64, strict=False) if k in numbers else pl.col(v)
        for k, v in more.items()
        if v in frame.columns
    }
    empty = pl.when(pl.col(answer).cast(pl.String).str.strip_chars() != "").then(pl.col(answer))
    return frame.select(item_id=item, rater_id=rater, rating=empty, **others)


def _one(answers: list[str], frame: pl.DataFrame, prefix: str) -> str:
    if len(answers) != 1:
        names = [a.removeprefix(prefix) for a in answers]
        message = f"There are several questions: {listed(names)}." if answers else "The column of answers is unknown."
        raise InvalidParameter(message, Hint("Name one: ", Argument("answer", names[0] if names else "column")))
    _has(frame, answers[0])
    return answers[0]


def _has(frame: pl.DataFrame, *columns: str) -> None:
    if lacking := [c for c in columns if c not in frame.columns]:
        raise MissingColumn(
            f"The ratings table has no column {lacking[0]!r} (it has: {listed(frame.columns, 20)}).",
            nearest(lacking[0], frame.columns) or "Name another one.",
        )


LAYOUTS: dict[str, Callable[[str | os.PathLike[str], str | None, str | None], pl.DataFrame]] = {
    "mturk": _mturk,
    "appen": _appen,
    "label-studio": _label_studio,
    "table": _table,
}
