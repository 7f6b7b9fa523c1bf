"""Exports of Label Studio: the answers of each control, and the controls whose answers are no ratings."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ireval_frames.errors import (
    Argument,
    FileError,
    Hint,
    InvalidParameter,
    MalformedFile,
    MissingColumn,
    NotDefined,
    listed,
)

# Controls whose answer is about the whole task, and the key of the answer in a result.
ANSWERS = {
    "choices": "choices",
    "rating": "rating",
    "number": "number",
    "datetime": "datetime",
    "pairwise": "selected",
    "taxonomy": "taxonomy",
    "textarea": "text",
}
# Other controls, and what they do.
OTHERS = {
    "ranker": "orders items",
    "videorectangle": "marks objects of a video",
    **dict.fromkeys(
        (
            *("labels", "hypertextlabels", "paragraphlabels", "timeserieslabels", "timelinelabels", "rectanglelabels"),
            *("ellipselabels", "polygonlabels", "keypointlabels", "brushlabels", "bitmasklabels", "vectorlabels"),
            *("rectangle", "ellipse", "polygon", "keypoint", "brush", "bitmask", "vector", "magicwand"),
        ),
        "marks regions",
    ),
}
# Keys of a result that is about a region of the task.
REGION = {
    *("start", "end", "startOffset", "endOffset", "globalOffsets", "x", "y", "points", "vertices"),
    *("rle", "sequence", "ranges"),
}
# Keys of the short JSON other than the task's data and the answers.
SHORT = ("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement")
Row = tuple[str, str | None, str | None, str | None, float | None]


def label_studio(path: str | os.PathLike[str], answer: str | None, item: str | None) -> list[Row]:
    """A row per answer: the control, the item, the rater, the rating, the seconds.

    Raises:
        FileError, MalformedFile: it cannot be read, or is no such export.
        InvalidParameter, MissingColumn: there are several controls, or none of the name.
        NotDefined: the answers of the control are no ratings of a task.
    """
    records = tasks(path)
    short = [t for t in records if "annotation_id" in t and "annotator" in t]
    if short and len(short) < len(records):
        raise MalformedFile(
            f"{path}: {len(records) - len(short)} of {len(records)} records have no annotator.", "Export it again."
        )
    if short:
        return _of_short(short, answer, item)
    if records and not any(map(_is_task, records)):
        keys = dict.fromkeys(k for t in records for k in t)
        raise MalformedFile(
            f"{path} is no export of Label Studio: its records have no annotations, but {listed(keys, 10)}.",
            "Export from Label Studio as JSON.",
        )
    if item is not None and records and not any(item in _mapping(t.get("data"), path) for t in records):
        fields = dict.fromkeys(k for t in records for k in _mapping(t.get("data"), path))
        raise MissingColumn(f"No task has data called {item!r}; they have: {listed(fields, 20)}.", "Name one of them.")
    results = [r for t in records for r in _results(t, item, path)]
    name = _control([(q, r) for q, r, _ in results], answer)
    return [
        (q, *ids, _value(q, kind, _mapping(r.get("value"), path)), seconds)
        for q, r, (*ids, seconds) in results
        if q == name
        for kind in [_kind(r)]
    ]


def tasks(path: str | os.PathLike[str]) -> list[Mapping[str, Any]]:
    """The records of a file of JSON.

    Raises:
        FileError, MalformedFile: it cannot be read, or is no list of records.
    """
    try:
        records = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror or error}.", "Name a file.") from None
    except (ValueError, RecursionError) as error:
        raise MalformedFile(f"{path} is no JSON: {error}.", "Export from Label Studio as JSON.") from None
    if not isinstance(records, list) or not all(isinstance(t, Mapping) for t in records):
        raise MalformedFile(f"{path} has no list of tasks.", "Export from Label Studio as JSON.")
    return records


def is_export(records: Sequence[Mapping[str, Any]]) -> bool:
    """Whether records are tasks with annotations, or the rows of the short JSON."""
    return not records or any(_is_task(t) or ("annotation_id" in t and "annotator" in t) for t in records)


def _is_task(task: Mapping[str, Any]) -> bool:
    return "annotations" in task or "completions" in task


def _results(task: Mapping[str, Any], item: str | None, path: Any) -> Iterator[tuple[str, Mapping[str, Any], Any]]:
    """The results of a task: the control, the result, and the item, the rater and the seconds."""
    name = task.get("id") if item is None else _mapping(task.get("data"), path).get(item)
    for annotation in _list(task.get("annotations") or task.get("completions"), path):
        if annotation.get("was_cancelled"):
            continue
        who = annotation.get("completed_by")
        who = (who.get("email") or who.get("id")) if isinstance(who, Mapping) else who
        ids = [None if x is None else str(x) for x in (name, who)]
        for result in _list(annotation.get("result"), path):
            if "item_index" in result:
                raise NotDefined(
                    f"The control {result.get('from_name')!r} is about items of a task, one by one.",
                    "Make a task of each item.",
                )
            # Relations of regions have no control.
            if result.get("type") != "relation":
                yield str(result.get("from_name", "")), result, (*ids, _seconds(annotation))


def _control(results: Sequence[tuple[str, Mapping[str, Any]]], answer: str | None) -> str | None:
    """The control whose answers are read.

    Raises:
        InvalidParameter: there are several, or none of the name.
        NotDefined: its answers are no ratings.
    """
    kinds = {name: _kind(result) for name, result in results}
    first = min(kinds, key=lambda n: (kinds[n] not in ANSWERS, n), default="")
    hint = Hint("Name one: ", Argument("answer", first))
    if answer is None and len(kinds) > 1:
        raise InvalidParameter(f"There are several questions: {listed(sorted(kinds))}.", hint)
    name = next(iter(kinds), None) if answer is None else answer
    if kinds and name not in kinds:
        raise MissingColumn(f"There is no question {name!r}; there are: {listed(sorted(kinds))}.", hint)
    others = sorted(n for n, kind in kinds.items() if kind in ANSWERS)
    if name is not None and kinds and kinds[name] not in ANSWERS:
        raise _refused(name, kinds[name], others)
    return name


def _refused(name: str, kind: str, others: Sequence[str]) -> NotDefined:
    does = OTHERS.get(kind)
    what = (
        f"The control {name!r} ({kind}) {does}; a rating is one answer about a task."
        if does
        else f"The control {name!r} is of the kind {kind!r}, which is not known."
    )
    if others:
        return NotDefined(what, Hint("Name another one: ", Argument("answer", others[0])))
    return NotDefined(what, f"Export a control that is about the whole task: {listed(ANSWERS)}.")


def _kind(result: Mapping[str, Any]) -> str:
    """The kind of a control: the type of the result, or guessed from the keys of its value."""
    if "type" in result:
        return str(result["type"]).lower()
    value = result.get("value")
    fields = value if isinstance(value, Mapping) else {}
    controls = [*OTHERS, *(k for k in ANSWERS if k != "textarea")]
    return next(
        (k for k in controls if ANSWERS.get(k, k) in fields), "textarea" if "text" in fields else listed(fields) or "?"
    )


def _value(name: str, kind: str, value: Mapping[str, Any]) -> str | None:
    """The answer as text: several choices, paths or texts joined by a bar, the parts of a path by a slash.

    Raises:
        NotDefined: the answer is about a region of the task.
        MalformedFile: the value has no answer.
    """
    if kind not in ANSWERS:
        raise _refused(name, kind, ())
    if there := sorted(REGION & set(value)):
        raise NotDefined(
            f"The control {name!r} ({kind}) is about regions of tasks (its values have {listed(there)}), and raters "
            "mark regions of their own.",
            "Name a control that is about the whole task.",
        )
    key = ANSWERS[kind]
    if key not in value:
        raise MalformedFile(
            f"A value of the control {name!r} ({kind}) has no {key!r}: it has {listed(value) or 'nothing'}.",
            "Leave the result out, or export it again.",
        )
    answer = value[key]
    several = answer if isinstance(answer, list) else [] if answer is None else [answer]
    texts = ["/".join(map(str, one)) if isinstance(one, list) else str(one) for one in several]
    # The order of choices does not matter.
    return "|".join(texts if kind == "textarea" else sorted(texts)) or None


def _of_short(rows: list[Mapping[str, Any]], answer: str | None, item: str | None) -> list[Row]:
    """The answers of the short JSON, a row per annotation.

    Raises:
        InvalidParameter: the field of the answer is not named.
        MissingColumn: no row has that field.
        NotDefined: the field has no ratings of a task.
    """
    fields = sorted({k for row in rows for k in row} - {*SHORT})
    hint = Hint("Name one: ", Argument("answer", fields[-1] if fields else "field"))
    if answer is None:
        raise InvalidParameter(f"It is not known which field is the answer. There are: {listed(fields, 20)}.", hint)
    for name, what in ((answer, "field"), (item, "field of items")):
        if name is not None and name not in {k for row in rows for k in row}:
            raise MissingColumn(f"There is no {what} {name!r}. There are: {listed(fields, 20)}.", hint)
    out: list[Row] = []
    for row in rows:
        name, who = (None if x is None else str(x) for x in (row.get(item or "id"), row["annotator"]))
        out.append((answer, name, who, _short_value(answer, row.get(answer)), _seconds(row)))
    return out


def _short_value(name: str, value: Any) -> str | None:
    """The value of a field of the short JSON: text, a number, or a list with one value."""
    several = value if isinstance(value, list) else [value]
    if len(several) > 1:
        raise NotDefined(
            f"The field {name!r} has {len(several)} answers of one annotation: it is about regions of a task.",
            "Name a field that is about the whole task.",
        )
    one = several[0] if several else None
    if isinstance(one, Mapping):
        return _value(name, _kind({"value": one}), one)
    return None if one is None else str(one)


def _seconds(annotation: Mapping[str, Any]) -> float | None:
    value = annotation.get("lead_time")
    return float(value) if isinstance(value, int | float) else None


def _list(value: Any, path: Any) -> list[Mapping[str, Any]]:
    if value is not None and not (isinstance(value, list) and all(isinstance(x, Mapping) for x in value)):
        raise MalformedFile(f"{path}: {str(value)[:40]!r} is no list of annotations or results.", "Export it again.")
    return value or []


def _mapping(value: Any, path: Any) -> Mapping[str, Any]:
    if value is not None and not isinstance(value, Mapping):
        raise MalformedFile(f"{path}: {str(value)[:40]!r} is no value of Label Studio.", "Export it again.")
    return value or {}
