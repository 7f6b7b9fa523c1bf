"""Samples of lm-evaluation-harness by their documented form: it is not installed here."""

from __future__ import annotations

import json

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError, MalformedFile, NotDefined

DATE = "2026-01-31T10-11-12.123456"


def write(folder, task, rows, date=DATE):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"samples_{task}_{date}.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), "utf-8")
    return path


def sample(place, acc, **more):
    return {
        "doc_id": place, "doc": {"q": "ü"}, "target": "1", "resps": [], "filter": "none", "metrics": ["acc", "f1"],
        "acc": acc, "f1": [1, 0], "doc_hash": "x", **more,
    }  # fmt: skip


def test_models_are_compared_sample_by_sample(tmp_path) -> None:
    right = {"a": [1.0, 0.0, 0.0, 1.0], "b": [1.0, 1.0, True, 1.0]}
    for model, values in right.items():
        for task in ("arc_easy", "boolq"):
            write(tmp_path / model, task, [sample(i, v) for i, v in enumerate(values)])
    frames = [ir.interop.lm_eval.from_samples(tmp_path / model, run_id=model) for model in right]
    assert frames[0].row(0) == ("a", "arc_easy", 0, "none", "acc", 1.0)
    assert set(frames[0]["measure"]) == {"acc"}
    compared = ir.compare(pl.concat(frames), baseline="a", unit=["task", "doc_id"], test="sign").table()
    assert compared.select("system", "n", "difference").rows() == [("b", 8, 0.5)]


def test_older_samples_do_not_name_their_metrics(tmp_path) -> None:
    old = {k: v for k, v in sample(0, 1.0).items() if k not in ("metrics", "filter", "f1")}
    path = write(tmp_path, "x", [old])
    assert ir.interop.lm_eval.from_samples(path, run_id="a").row(0) == ("a", "x", 0, None, "acc", 1.0)
    assert ir.interop.lm_eval.from_samples(path, run_id="a", task="y")["task"].to_list() == ["y"]


def test_invalid_samples(tmp_path) -> None:
    read = ir.interop.lm_eval.from_samples
    with pytest.raises(FileError, match=r"holds no samples_\*\.jsonl"):
        read(tmp_path, run_id="a")
    good, late = write(tmp_path, "x", [sample(0, 1.0)]), write(tmp_path, "x", [sample(0, 1.0)], f"{DATE[:-1]}7")
    with pytest.raises(FileError, match="both of the task 'x'"):
        read(tmp_path, run_id="a")
    late.write_text(good.read_text() + '{"doc_id": "7"}\n')
    with pytest.raises(MalformedFile, match="line 2"):
        read(late, run_id="a")
    with pytest.raises(NotDefined, match="No sample"):
        read(write(tmp_path, "y", [{"doc_id": 1, "metrics": []}]), run_id="a")
