"""Files of platforms where people rate, as tables of ratings."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.errors import FileError, InvalidParameter, MalformedFile, MissingColumn, UnknownName, listed, nearest
from ireval_frames.io.any_table import scan_table
from ireval_frames.io.collected import collected

# What platforms call the columns that are no answers.
MTURK_UNIT, MTURK_RATER, MTURK_ANSWER = "HITId", "WorkerId", "Answer."
# All answers of an assignment as one text of JSON.
MTURK_JSON = "Answer.taskAnswers"
# What Label Studio's short JSON has besides the task's data and the answers.
SHORT = ("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement")


def read_ratings(
    path: str | os.PathLike[str], layout: str | None = None, *, answer: str | None = None, unit: str | None = None
) -> pl.DataFrame:
    """The ratings of a file that a platform exported.

    Args:
        path: the file.
        layout: "mturk" (batch results of Amazon Mechanical Turk), "appen" (full reports of Appen, Figure Eight and
            CrowdFlower), "label-studio" (JSON, also the short one), or "table" (any table, as it is); by default as its
            columns tell.
        answer: the question whose answers are read, where there are several: of MTurk without "Answer.", of Appen the
            column, of Label Studio the name of the control.
        unit: the column that names units, where it is not the platform's.

    Returns:
        unit_id rater_id rating, and where the platform tells them seconds (per answer), time (when), trust (of Appen)
        and gold.  Rejected and cancelled answers are left out; ids and answers are text, answers that are all numbers
        numbers.

    Raises:
        FileError, MalformedFile: the file cannot be read.
        MissingColumn: it has no such columns.
        UnknownName, InvalidParameter: there is no such layout, or there are several questions.
    """
    name = layout or _guessed(path)
    if name not in LAYOUTS:
        raise UnknownName(f"There is no layout {layout!r} of ratings.", nearest(str(layout), list(LAYOUTS)))
    made = LAYOUTS[name](path, answer, unit)
    if name == "table":
        return made
    numbers = made["rating"].cast(pl.Float64, strict=False) if made.schema["rating"] == pl.String else made["rating"]
    if made.height and numbers.null_count() == made["rating"].null_count() and numbers.is_not_null().any():
        whole = bool((numbers.drop_nulls() == numbers.drop_nulls().floor()).all())
        made = made.with_columns(rating=numbers.cast(pl.Int64) if whole else numbers)
    return made


def _guessed(path: str | os.PathLike[str]) -> str:
    if str(path).lower().endswith(".json"):
        return "label-studio"
    columns = scan_table(path).collect_schema().names()
    if MTURK_RATER in columns:
        return "mturk"
    return "appen" if {"_worker_id", "_unit_id"} & set(columns) else "table"


def _table(path: str | os.PathLike[str], answer: str | None, unit: str | None) -> pl.DataFrame:
    frame = collected(scan_table(path), path)
    named = {k: v for k, v in {answer: "rating", unit: "unit_id"}.items() if k is not None}
    _has(frame, *named)
    return frame.rename(named)


def _mturk(path: str | os.PathLike[str], answer: str | None, unit: str | None) -> pl.DataFrame:
    frame = collected(scan_table(path), path)
    unit = unit or MTURK_UNIT
    _has(frame, unit, MTURK_RATER)
    if MTURK_JSON in frame.columns:
        frame = _unfolded(frame)
    answers = [c for c in frame.columns if c.startswith(MTURK_ANSWER)]
    column = _one(
        answers if answer is None else [MTURK_ANSWER + answer.removeprefix(MTURK_ANSWER)], frame, MTURK_ANSWER
    )
    if "AssignmentStatus" in frame.columns:
        frame = frame.filter(pl.col("AssignmentStatus") != "Rejected")
    more = {"seconds": "WorkTimeInSeconds", "time": "SubmitTime"}
    return _chosen(frame, unit, MTURK_RATER, column, more)


def _unfolded(frame: pl.DataFrame) -> pl.DataFrame:
    """A column for each question of answers that stand as JSON in one.

    Raises:
        MalformedFile: a text is no such JSON.
    """
    rows = []
    for text in frame[MTURK_JSON]:
        try:
            found = json.loads(text or "[]")
            parts = found if isinstance(found, list) else [found]
            rows.append({name: _worded(value) for part in parts for name, value in part.items()})
        except (ValueError, AttributeError):
            raise MalformedFile(
                f"{MTURK_JSON} holds {text[:40]!r}, which are no answers.", "Leave out its row, or export again."
            ) from None
    names = dict.fromkeys(name for row in rows for name in row)
    columns = [pl.Series(MTURK_ANSWER + n, [r.get(n) for r in rows], dtype=pl.String) for n in names]
    return frame.drop(MTURK_JSON, *(c.name for c in columns if c.name in frame.columns)).with_columns(columns)


def _worded(value: Any) -> str | None:
    """An answer as text: of boxes and buttons the names of those that are on, several with a bar between."""
    if isinstance(value, Mapping):
        named = value.get("label", value.get("labels"))
        value = [name for name, on in value.items() if on is True] if named is None else named
    if isinstance(value, list):
        return "|".join(map(str, value)) or None
    return None if value is None else str(value)


def _appen(path: str | os.PathLike[str], answer: str | None, unit: str | None) -> pl.DataFrame:
    frame = collected(scan_table(path), path)
    unit = unit or "_unit_id"
    if "_worker_id" not in frame.columns and "_unit_id" in frame.columns:
        raise MissingColumn(
            "This is an aggregated report: a row per unit, and nothing of who rated.", "Export the full report."
        )
    _has(frame, unit, "_worker_id")
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
    return _chosen(frame, unit, "_worker_id", column, more)


def _label_studio(path: str | os.PathLike[str], answer: str | None, unit: str | None) -> pl.DataFrame:
    try:
        tasks = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror or error}.", "Name a file.") from None
    except ValueError as error:
        raise MalformedFile(f"{path} is no JSON: {error}.", "Export from Label Studio as JSON.") from None
    if not isinstance(tasks, list) or not all(isinstance(t, Mapping) for t in tasks):
        raise MalformedFile(f"{path} holds no list of tasks.", "Export from Label Studio as JSON.")
    short = [t for t in tasks if "annotation_id" in t and "annotator" in t]
    rows = _of_short(short, answer, unit) if short else [r for t in tasks for r in _of_task(t, answer, unit)]
    names = sorted({row[0] for row in rows})
    if answer is None and len(names) > 1:
        raise InvalidParameter(f"There are several questions: {listed(names)}.", f'Name one: answer="{names[0]}"')
    schema = {"unit_id": pl.String, "rater_id": pl.String, "rating": pl.String, "seconds": pl.Float64}
    return pl.DataFrame([row[1:] for row in rows], schema=schema, orient="row")


def _of_task(task: Mapping[str, Any], answer: str | None, unit: str | None) -> Iterator[tuple[Any, ...]]:
    """The answers of a task: the question, the unit, the rater, the rating, the time."""
    name = task.get("id") if unit is None else (task.get("data") or {}).get(unit)
    for annotation in task.get("annotations") or task.get("completions") or ():
        if annotation.get("was_cancelled"):
            continue
        who = annotation.get("completed_by")
        who = (who.get("email") or who.get("id")) if isinstance(who, Mapping) else who
        for result in annotation.get("result") or ():
            question, value = result.get("from_name", ""), result.get("value") or {}
            if answer is not None and question != answer:
                continue
            lead = annotation.get("lead_time")
            yield question, *(None if x is None else str(x) for x in (name, who)), _value(value), lead


def _value(value: Mapping[str, Any]) -> str | None:
    """What a control of Label Studio holds."""
    return _worded(next((value[k] for k in ("choices", "rating", "number", "text", "taxonomy") if k in value), None))


def _of_short(rows: list[Mapping[str, Any]], answer: str | None, unit: str | None) -> list[tuple[Any, ...]]:
    """The answers of Label Studio's short JSON, a row per annotation: question, unit, rater, rating, time.

    Raises:
        InvalidParameter: which of its fields is the answer was not said.
        MissingColumn: no row has that field.
    """
    fields = sorted({k for row in rows for k in row} - {*SHORT})
    hint = f'Name one: answer="{fields[-1] if fields else "field"}"'
    if answer is None:
        raise InvalidParameter(f"It is not known which field is the answer. There are: {listed(fields, 20)}.", hint)
    if answer not in fields:
        raise MissingColumn(f"There is no field {answer!r}. There are: {listed(fields, 20)}.", hint)
    out = []
    for row in rows:
        found = row.get(answer)
        found = found[0] if isinstance(found, list) and len(found) == 1 else found
        rating = _value(found) if isinstance(found, Mapping) else _worded(found)
        ids = (None if x is None else str(x) for x in (row.get(unit or "id"), row["annotator"]))
        out.append((answer, *ids, rating, row.get("lead_time")))
    return out


def _chosen(frame: pl.DataFrame, unit: str, rater: str, answer: str, more: Mapping[str, str]) -> pl.DataFrame:
    numbers = ("seconds", "trust")
    others = {
        k: pl.col(v).cast(pl.Float64, strict=False) if k in numbers else pl.col(v)
        for k, v in more.items()
        if v in frame.columns
    }
    empty = pl.when(pl.col(answer).cast(pl.String).str.strip_chars() != "").then(pl.col(answer))
    return frame.select(unit_id=unit, rater_id=rater, rating=empty, **others)


def _one(answers: list[str], frame: pl.DataFrame, prefix: str) -> str:
    if len(answers) != 1:
        names = [a.removeprefix(prefix) for a in answers]
        told = f"There are several questions: {listed(names)}." if answers else "It is not known which column is rated."
        raise InvalidParameter(told, f'Name one: answer="{names[0] if names else "column"}"')
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
