"""Exports of platforms where people rate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError, InvalidParameter, MalformedFile, MissingColumn, UnknownName

MTURK = """HITId,AssignmentId,WorkerId,AssignmentStatus,WorkTimeInSeconds,Input.url,Answer.relevance,Answer.comment
h1,a1,W1,Approved,12,"http://x, y",2,fine
h1,a2,W2,Rejected,3,"http://x, y",0,
h2,a3,W1,Submitted,40,http://z,,"well, no"
"""
APPEN = """_unit_id,_created_at,_started_at,_tainted,_trust,_worker_id,_golden,category,category_gold
7,6/21/2012 05:10:30,6/21/2012 05:10:00,false,0.9,11,true,Yes,Yes
7,6/21/2012 05:12:30,6/21/2012 05:10:00,true,0.2,12,true,No,Yes
8,6/21/2012 05:13:30,6/21/2012 05:13:25,false,0.9,11,false,No,
"""
STUDIO = [
    {
        "id": 1,
        "data": {"doc": "d1"},
        "annotations": [
            {"completed_by": 5, "lead_time": 2.5, "result": [{"from_name": "rel", "value": {"choices": ["good"]}}]},
            {
                "completed_by": {"id": 6, "email": "a@b"},
                "result": [{"from_name": "rel", "value": {"choices": ["bad"]}}],
            },
            {"completed_by": 7, "was_cancelled": True, "result": [{"from_name": "rel", "value": {"choices": ["bad"]}}]},
            {"completed_by": 8, "result": [{"from_name": "stars", "value": {"rating": 3}}]},
        ],
    },
    {"id": 2, "data": {"doc": "d2"}, "annotations": []},
]


# As crowd-html-elements write it: a classifier, a slider, buttons, boxes.
ANSWERS = [
    '[{"grade":{"label":"good"},"sure":7,"pick":{"a":false,"b":true}}]',
    '[{"grade":{"label":"bad"},"sure":3,"pick":{"a":true,"b":true}}]',
    '[{"grade":{"label":"bad"},"sure":3,"pick":{"a":false,"b":false}}]',
]
SHORT = [
    {"id": 1, "text": "x", "rel": "good", "annotator": 5, "annotation_id": 11, "lead_time": 2.5},
    {"id": 1, "text": "x", "rel": {"choices": ["bad", "old"]}, "annotator": 6, "annotation_id": 12, "lead_time": 1},
    {"id": 2, "text": "y", "rel": [{"rating": 3}], "annotator": 5, "annotation_id": 13},
    {"id": 2, "text": "y", "annotator": "a@b", "annotation_id": 14},
]
# A row per unit, as data sets of CrowdFlower are published.
AGGREGATED = "_unit_id,_golden,_trusted_judgments,relevance,relevance:confidence\n1,False,3,good,0.67\n"


def test_answers_in_one_column_of_json(tmp_path: Path) -> None:
    path = tmp_path / "batch.csv"
    quoted = ["h,W{},{}".format(i, '"' + a.replace('"', '""') + '"') for i, a in enumerate(ANSWERS)]
    path.write_text("HITId,WorkerId,Answer.taskAnswers\n" + "\n".join(quoted) + "\n")
    with pytest.raises(InvalidParameter, match="grade, sure, pick"):
        ir.io.read_ratings(path)
    assert ir.io.read_ratings(path, answer="grade")["rating"].to_list() == ["good", "bad", "bad"]
    assert ir.io.read_ratings(path, answer="sure")["rating"].to_list() == [7, 3, 3]
    assert ir.io.read_ratings(path, answer="pick")["rating"].to_list() == ["b", "a|b", None]
    path.write_text("HITId,WorkerId,Answer.taskAnswers\nh,W1,yes\n")
    with pytest.raises(MalformedFile, match="holds 'yes'"):
        ir.io.read_ratings(path)


def test_short_json_of_label_studio_and_aggregated_reports(tmp_path: Path) -> None:
    path, report = tmp_path / "min.json", tmp_path / "aggregated.csv"
    path.write_text(json.dumps(SHORT))
    report.write_text(AGGREGATED)
    actual = ir.io.read_ratings(path, answer="rel")
    assert actual.rows() == [
        ("1", "5", "good", 2.5),
        ("1", "6", "bad|old", 1),
        ("2", "5", "3", None),
        ("2", "a@b", None, None),
    ]
    with pytest.raises(InvalidParameter, match="There are: rel, text"):
        ir.io.read_ratings(path)
    with pytest.raises(MissingColumn, match="no field 'stars'"):
        ir.io.read_ratings(path, answer="stars")
    with pytest.raises(MissingColumn, match="aggregated report"):
        ir.io.read_ratings(report)


def test_layouts(tmp_path: Path) -> None:
    mturk, appen, studio = (tmp_path / n for n in ("batch.csv", "full.csv", "export.json"))
    mturk.write_text(MTURK)
    appen.write_text(APPEN)
    studio.write_text(json.dumps(STUDIO))
    with pytest.raises(InvalidParameter, match="relevance, comment"):
        ir.io.read_ratings(mturk)
    actual = ir.io.read_ratings(mturk, answer="relevance")
    assert actual.columns == ["item_id", "rater_id", "rating", "seconds"]
    assert actual.rows() == [("h1", "W1", 2, 12.0), ("h2", "W1", None, 40.0)]
    assert ir.io.read_ratings(mturk, "mturk", answer="comment", item="Input.url")["item_id"][0] == "http://x, y"
    rows = ir.io.read_ratings(appen).select("item_id", "rater_id", "rating", "seconds", "trust", "gold").rows()
    assert rows == [("7", "11", "Yes", 30.0, 0.9, "Yes"), ("8", "11", "No", 5.0, 0.9, None)]
    with pytest.raises(InvalidParameter, match="rel, stars"):
        ir.io.read_ratings(studio)
    assert ir.io.read_ratings(studio, answer="rel").rows() == [("1", "5", "good", 2.5), ("1", "a@b", "bad", None)]
    assert ir.io.read_ratings(studio, answer="stars", item="doc").rows() == [("d1", "8", 3, None)]
    assert ir.Ratings(ir.io.read_ratings(studio, answer="rel")).evaluate("NumRaters").summary()["value"].item() == 2


def test_what_cannot_be_read_is_reported(tmp_path: Path) -> None:
    broken, table = tmp_path / "broken.json", tmp_path / "t.csv"
    broken.write_text("{")
    table.write_text("a,b\n1,2\n")
    assert ir.io.read_ratings(table, answer="b", item="a").columns == ["item_id", "rating"]
    for error, message, call in (
        (MalformedFile, "is no JSON", lambda: ir.io.read_ratings(broken)),
        (FileError, "cannot be read", lambda: ir.io.read_ratings(tmp_path / "none.json")),
        (UnknownName, "no layout 'turk'", lambda: ir.io.read_ratings(table, "turk")),
        (MissingColumn, "no column 'HITId'", lambda: ir.io.read_ratings(table, "mturk")),
    ):
        with pytest.raises(error, match=message):
            call()
