"""What each control of Label Studio says of a task, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError, InvalidParameter, MalformedFile, MissingColumn, NotDefined

# A kind of control, a value as Label Studio writes it, and the rating that it is.
READ: tuple[tuple[str, dict[str, Any], Any], ...] = (
    ("choices", {"choices": ["good"]}, "good"),
    ("choices", {"choices": ["old", "bad"]}, "bad|old"),
    ("choices", {"choices": []}, None),
    ("rating", {"rating": 4}, 4),
    ("number", {"number": 0.5}, 0.5),
    ("datetime", {"datetime": "2024-05-01T10:00"}, "2024-05-01T10:00"),
    ("pairwise", {"selected": "left"}, "left"),
    ("taxonomy", {"taxonomy": [["Animals", "Cat"]]}, "Animals/Cat"),
    ("taxonomy", {"taxonomy": [["b"], ["a", "c"]]}, "a/c|b"),
    ("textarea", {"text": ["well, yes", "no"]}, "well, yes|no"),
)
BOX = {"x": 1.0, "y": 2.0, "width": 3.0, "height": 4.0, "rotation": 0}
SPAN = {"start": 0, "end": 5, "text": "Alice"}
# By kind a value, and what the refusal says.
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "labels": ({**SPAN, "labels": ["PER"]}, "marks regions"),
    "hypertextlabels": ({**SPAN, "hypertextlabels": ["PER"]}, "marks regions"),
    "rectanglelabels": ({**BOX, "rectanglelabels": ["car"]}, "marks regions"),
    "rectangle": (BOX, "marks regions"),
    "polygonlabels": ({"points": [[1, 2]], "polygonlabels": ["car"]}, "marks regions"),
    "keypointlabels": ({"x": 1, "y": 2, "keypointlabels": ["nose"]}, "marks regions"),
    "brushlabels": ({"format": "rle", "rle": [1], "brushlabels": ["sky"]}, "marks regions"),
    "timeserieslabels": ({"start": 1, "end": 2, "timeserieslabels": ["run"]}, "marks regions"),
    "videorectangle": ({"sequence": [], "labels": ["car"]}, "marks objects of a video"),
    "ranker": ({"ranker": {"rank": ["a", "b"]}}, "orders items"),
    "choices": ({**SPAN, "choices": ["good"]}, "is about regions"),
    "textarea": ({**BOX, "text": ["a sign"]}, "is about regions"),
    "rating": ({**BOX, "rating": 3}, "is about regions"),
    "holograms": ({"holograms": ["x"]}, "which is not known"),
}


def written(path: Path, *results: dict[str, Any], **task: Any) -> Path:
    annotation = {"completed_by": 5, "lead_time": 2, "result": list(results)}
    path.write_text(json.dumps([{"id": 7, "data": {"doc": "d"}, "annotations": [annotation], **task}]))
    return path


@pytest.mark.parametrize("typed", [True, False])
def test_every_control_is_read_or_refused(*, typed: bool, tmp_path: Path) -> None:
    full, short = tmp_path / "full.json", tmp_path / "short.json"
    brief = {"id": 7, "annotator": 5, "annotation_id": 1, "lead_time": 2}
    for kind, value, rating in READ:
        kinds = {"type": kind} if typed else {}
        assert ir.io.read_ratings(written(full, {"from_name": "q", "value": value} | kinds)).rows() == [
            ("7", "5", rating, 2.0)
        ], kind
        short.write_text(json.dumps([brief | {"q": [value]}]))
        assert ir.io.read_ratings(short, answer="q").rows() == [("7", "5", rating, 2.0)], kind
    # Of one choice, or one text, the short export has the text alone.
    short.write_text(json.dumps([brief | {"q": "good"}]))
    assert ir.io.read_ratings(short, answer="q").rows() == [("7", "5", "good", 2.0)]
    for kind, (value, message) in REFUSED.items():
        kinds = {"type": kind} if typed else {}
        says = message if typed or kind not in ("rectangle", "videorectangle") else "(not known|regions)"
        with pytest.raises(NotDefined, match=says):
            ir.io.read_ratings(written(full, {"from_name": "q", "value": value} | kinds))
        short.write_text(json.dumps([brief | {"q": [value]}]))
        with pytest.raises(NotDefined):
            ir.io.read_ratings(short, answer="q")


def test_a_question_beside_regions(tmp_path: Path) -> None:
    """The hint names a control that can be read, and relations of regions are no question."""
    span = {"from_name": "a", "type": "labels", "value": {**SPAN, "labels": ["PER"]}}
    mood = {"from_name": "mood", "type": "choices", "value": {"choices": ["good"]}}
    link = {"type": "relation", "from_id": "x", "to_id": "y", "direction": "right"}
    path = written(tmp_path / "x.json", span, mood, link)
    with pytest.raises(InvalidParameter, match='answer="mood"'):
        ir.io.read_ratings(path)
    with pytest.raises(NotDefined, match='answer="mood"'):
        ir.io.read_ratings(path, answer="a")
    with pytest.raises(MissingColumn, match="no question 'b'"):
        ir.io.read_ratings(path, answer="b")
    assert ir.io.read_ratings(path, answer="mood")["rating"].item() == "good"
    assert ir.io.read_ratings(written(path, mood, link))["rating"].item() == "good"
    two = [{"id": 7, "q": ["good", "bad"], "annotator": 5, "annotation_id": 1}]
    path.write_text(json.dumps(two))
    with pytest.raises(NotDefined, match="2 answers of one annotation"):
        ir.io.read_ratings(path, answer="q")


def test_files_that_are_others(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    mood = {"from_name": "mood", "type": "choices", "value": {"choices": ["good"]}}
    per_item = mood | {"item_index": 0}
    for error, message, content, options in (
        (MalformedFile, "records have no annotations, but unit, rater", [{"unit": 1, "rater": 2}], {}),
        (
            MalformedFile,
            "1 of 2 records have no annotator",
            [{"annotation_id": 1, "annotator": 2, "q": 1}, {"q": 1}],
            {"answer": "q"},
        ),
        (MalformedFile, "no list of annotations", [{"id": 1, "annotations": "none"}], {}),
        (MalformedFile, "no list of annotations", [{"id": 1, "annotations": [{"result": [3]}]}], {}),
        (
            MalformedFile,
            "no value of Label Studio",
            [{"id": 1, "annotations": [{"result": [mood | {"value": 3}]}]}],
            {},
        ),
        (MalformedFile, "has no 'choices'", [{"id": 1, "annotations": [{"result": [mood | {"value": {}}]}]}], {}),
        (
            MissingColumn,
            "No task has data called 'dok'",
            [{"id": 1, "data": {"doc": 1}, "annotations": []}],
            {"item": "dok"},
        ),
        (NotDefined, "items of a task", [{"id": 1, "annotations": [{"result": [per_item]}]}], {}),
    ):
        path.write_text(json.dumps(content))
        with pytest.raises(error, match=message):
            ir.io.read_ratings(path, "label-studio", **options)
    path.write_text("[" * 100_000)
    with pytest.raises((MalformedFile, FileError)):
        ir.io.read_ratings(path)


def test_answers_that_no_float_holds_stay_text(tmp_path: Path) -> None:
    for one, other in (("nan", "1"), ("inf", "2"), ("9007199254740993", "9007199254740992"), ("1e400", "1")):
        answers = [{"from_name": "q", "type": "choices", "value": {"choices": [x]}} for x in (one, other)]
        results = [{"id": 1, "annotations": [{"completed_by": 1, "result": [a]}]} for a in answers]
        path = tmp_path / "x.json"
        path.write_text(json.dumps(results))
        assert ir.io.read_ratings(path)["rating"].to_list() == [one, other]
