"""Exports of Label Studio with spans of text."""

from __future__ import annotations

import json
from typing import Any

import pytest

import ireval_frames as ir
from ireval_frames.errors import MalformedFile, MissingColumn, NotDefined
from tests.io.test_annotated import ADA, TEXT, Write, region, write

__all__ = ["write"]


def test_exports_of_label_studio(write: Write) -> None:
    page = {
        "type": "hypertextlabels",
        "value": {"start": "/p[1]/text()[1]", "globalOffsets": {"start": 8, "end": 10}, "hypertextlabels": ["PER"]},
    }
    tasks = [
        {
            "id": 7,
            "data": {"text": TEXT, "name": "n7"},
            "annotations": [
                {"completed_by": 5, "result": [region(), region(labels=["A", "B"]), {"type": "relation"}]},
                {"completed_by": 5, "result": [region(labels=[])]},
                {"completed_by": {"id": 6, "email": "a@b"}, "result": [page, {"type": "choices", "value": {}}]},
                {"completed_by": 8, "was_cancelled": True, "result": [region()]},
            ],
            "predictions": [{"model_version": "m1", "result": [region()]}],
        },
        {"id": 8, "data": {"text": "no", "name": "n8"}, "annotations": []},
    ]
    path = write("a.json", json.dumps(tasks))
    spans = ir.io.read_spans(path)
    assert spans.columns == ["doc_id", "rater_id", "span_id", "start", "end", "type", "text"]
    assert spans.rows() == [
        (7, "5", "r1", 0, 3, "PER", "Ada"),
        (7, "5", "r1", 0, 3, "A", "Ada"),
        (7, "5", "r1", 0, 3, "B", "Ada"),
        (7, "5", "r1", 0, 3, None, "Ada"),  # no label was chosen
        (7, "a@b", None, 8, 10, "PER", None),
    ]
    assert ir.io.read_spans(path, predictions=True).rows() == [(7, "m1", "r1", 0, 3, "PER", "Ada")]
    assert ir.io.read_spans(path, doc="name")["doc_id"].unique().to_list() == ["n7"]
    assert ir.io.read_documents(path, columns={"doc_id": "name"}).rows() == [("n7", TEXT), ("n8", "no")]
    with pytest.raises(MissingColumn, match="Task 1 has no data called 'file'; it has: text, name"):
        ir.io.read_spans(path, doc="file")


def test_the_short_json_of_label_studio(write: Write) -> None:
    task = {
        "id": 7,
        "text": TEXT,
        "annotator": 5,
        "annotation_id": 1,
        "ner": [{**ADA, "text": "Ada", "labels": ["PER"]}],
    }
    assert ir.io.read_spans(write("a.json", json.dumps([task]))).rows() == [(7, "5", None, 0, 3, "PER", "Ada")]


def test_exports_of_label_studio_without_spans_of_text(write: Write) -> None:
    def task(result: dict[str, Any]) -> str:
        return json.dumps([{"id": 7, "data": {"text": TEXT}, "annotations": [{"result": [result]}]}])

    paragraph = {"type": "paragraphlabels", "value": {"start": "0", "end": "1", "paragraphlabels": ["PER"]}}
    with pytest.raises(NotDefined, match="'paragraphlabels' have no offsets in the text"):
        ir.io.read_spans(write("a.json", task(paragraph)))
    with pytest.raises(MalformedFile, match="in task 7 a span ends at 0, where it starts or before"):
        ir.io.read_spans(write("b.json", task(region(end=0))))
    with pytest.raises(MalformedFile, match="task 1 has no annotations, but id"):
        ir.io.read_spans(write("c.json", '[{"id": 1}]'), "label-studio")
