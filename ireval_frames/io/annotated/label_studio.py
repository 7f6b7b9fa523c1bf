"""Exports of Label Studio: the spans of text that raters marked, or that models predicted."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from ireval_frames.errors import MalformedFile, MissingColumn, NotDefined, listed
from ireval_frames.io.annotated.document import Document, Marked, differing, marked
from ireval_frames.io.json.label_studio import tasks
from ireval_frames.io.text.grammar import Wrong

# The kinds of results that mark text.
KINDS = ("labels", "hypertextlabels", "paragraphlabels")
# Keys of a task that are none of its data in the short JSON.
_SHORT = "annotation_id"


def label_studio(path: str | os.PathLike[str], doc: str | None, *, predictions: bool) -> Iterator[Document]:
    """The documents of an export: a task each, named by its id or by a field of its data.

    Args:
        path: the file.
        doc: the field of the task's data that names it.
        predictions: the spans that models predicted instead of those of raters.

    Raises:
        FileError, MalformedFile: it cannot be read, or is no such export.
        MissingColumn: no task has the field.
        NotDefined: spans are of paragraphs without offsets in the text.
    """
    for number, task in enumerate(tasks(path), start=1):
        data = task.get("data", task)
        if not isinstance(data, Mapping) or not ({"annotations", "completions", "predictions", _SHORT} & set(task)):
            raise MalformedFile(
                f"{path}: task {number} has no annotations, but {listed(task, 10)}.",
                "Export from Label Studio as JSON.",
            )
        if doc is not None and doc not in data:
            raise MissingColumn(f"Task {number} has no data called {doc!r}; it has: {listed(data, 20)}.", "Name one.")
        texts = [value for value in data.values() if isinstance(value, str)]
        text = data.get("text") if isinstance(data.get("text"), str) else texts[0] if len(texts) == 1 else None
        name = task.get("id", number) if doc is None else data[doc]
        try:
            yield Document(name, text, list(_spans(task, text, predictions)))
        except Wrong as error:
            raise MalformedFile(f"{path}: in task {name!r} {error}.", "Leave it out, or export it again.") from None


def _spans(task: Mapping[str, Any], text: str | None, predictions: bool) -> Iterator[Marked]:  # noqa: FBT001
    if predictions:
        for one in task.get("predictions") or ():
            yield from _results(one.get("result"), text, None, str(one.get("model_version") or "model"))
    elif _SHORT in task:
        who = task.get("annotator")
        for key, value in task.items():
            if isinstance(value, list) and key != "result" and all(isinstance(v, Mapping) for v in value):
                results = [{"type": _kind(v), "value": v} for v in value]
                yield from _results(results, text, None if who is None else str(who), None)
    else:
        for one in task.get("annotations") or task.get("completions") or ():
            if not one.get("was_cancelled"):
                who = one.get("completed_by")
                who = (who.get("email") or who.get("id")) if isinstance(who, Mapping) else who
                yield from _results(one.get("result"), text, None if who is None else str(who), None)


def _kind(value: Mapping[str, Any]) -> str:
    return next((kind for kind in KINDS if kind in value), "")


def _results(results: Any, text: str | None, rater: str | None, run: str | None) -> Iterator[Marked]:
    for result in results or ():
        kind, value = str(result.get("type", "")).lower(), result.get("value")
        if kind not in KINDS or not isinstance(value, Mapping):
            continue
        start, end = value.get("start"), value.get("end")
        if kind != "labels":
            # Start and end are places in the tree of the page, or numbers of paragraphs.
            offsets = value.get("globalOffsets")
            if not isinstance(offsets, Mapping):
                raise NotDefined(
                    f"The spans of a control of the kind {kind!r} have no offsets in the text.",
                    "Export with globalOffsets, or mark plain text.",
                )
            start, end = offsets.get("start"), offsets.get("end")
        own = value.get("text")
        # A region that no label was chosen for is a span without a type.
        for label in value.get(kind) or (None,):
            one = marked(start, end, kind if label is None else label, text if kind == "labels" else None)
            words = own if isinstance(own, str) else one.text
            name = result.get("id")
            other = differing(own, one.text) if isinstance(own, str) else None
            span = None if name is None else str(name)
            yield Marked(one.start, one.end, None if label is None else one.kind, words, span, 0, rater, run, other)
