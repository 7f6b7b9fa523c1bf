"""BEIR's folders and MTEB's results by their documented form: neither package is installed here."""

from __future__ import annotations

import csv
import json

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError, MalformedFile, MissingColumn, WrongType
from tests.interop.cases import make_case, rows


def test_folder_is_read_as_beir_reads_it(tmp_path) -> None:
    qrels, _ = make_case()
    queries = pl.DataFrame({"query_id": ["00", "01"], "text": ['two "words"', "ü"]})
    folder = ir.interop.beir.to_folder(tmp_path / "new", qrels, queries, split="dev")
    # BEIR's loader: the header is skipped, tabs separate; queries are lines of JSON.
    with (folder / "qrels" / "dev.tsv").open(newline="", encoding="utf-8") as file:
        header, *lines = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_MINIMAL)
    assert header == ["query-id", "corpus-id", "score"]
    assert {(q, d, int(s)) for q, d, s in lines} == rows(qrels)
    lines_of_queries = [json.loads(line) for line in (folder / "queries.jsonl").read_text("utf-8").splitlines()]
    assert {line["_id"]: line["text"] for line in lines_of_queries} == dict(queries.rows())
    back = ir.interop.beir.from_folder(folder, "dev")
    assert rows(back[0].collect()) == rows(qrels)
    assert back[1].collect().rows() == queries.rows()
    with pytest.raises(FileError, match=r'test\.tsv is not a file[\s\S]*split="dev"'):
        ir.interop.beir.from_folder(folder)
    for column in queries.columns:
        with pytest.raises(MissingColumn, match="no columns query_id and text"):
            ir.interop.beir.to_folder(tmp_path / "none", qrels, queries.drop(column))
    (folder / "queries.jsonl").unlink()
    with pytest.raises(FileError, match=r"queries\.jsonl is not a file[\s\S]*ir\.io\.scan_qrels"):
        ir.interop.beir.from_folder(folder, "dev")


def task(name: str, **scores: float) -> dict:
    subsets = [{"hf_subset": s, "languages": ["eng-Latn"], "main_score": v, "f1": v} for s, v in scores.items()]
    return {"task_name": name, "dataset_revision": "1", "mteb_version": "2.1.0", "scores": {"test": subsets}}


def test_mteb(tmp_path) -> None:
    for model, shift in (("small", 0.0), ("large", 0.25)):
        (tmp_path / model / "rev").mkdir(parents=True)
        (tmp_path / model / "rev" / "model_meta.json").write_text('{"name": "x"}')
        for i, name in enumerate(("A", "B")):
            result = task(name, de=i / 4 + shift, en=0.5)
            (tmp_path / model / "rev" / f"{name}.json").write_text(json.dumps(result))
    read = ir.interop.mteb.from_results
    frame = pl.concat([read(tmp_path / model, run_id=model) for model in ("small", "large")])
    assert frame.filter(measure="main_score", run_id="large").drop("run_id", "measure").rows() == [
        ("A", "test", "de", 0.25), ("A", "test", "en", 0.5), ("B", "test", "de", 0.5), ("B", "test", "en", 0.5),
    ]  # fmt: skip
    compared = ir.compare(frame, baseline="small", unit=["task", "subset"], by="split", test="sign").table()
    assert compared.filter(measure="main_score").select("system", "n", "difference").rows() == [("large", 4, 0.125)]
    assert read(task("A", de=0.5), run_id="x").height == 2
    with pytest.raises(MalformedFile, match="not a result of a task"):
        read({"scores": {"test": [1]}}, run_id="x")
    with pytest.raises(WrongType, match="of type int"):
        read(7, run_id="x")
