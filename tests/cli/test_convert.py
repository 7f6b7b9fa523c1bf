"""`ireval convert`: what a file holds is recognised or asked for, and what is written has it all."""

from __future__ import annotations

import warnings
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from tests.cli.commands import DATA, invoke

FILES = {
    "qrels.txt": "1 0 d1 2\n1 0 d2 0\n",
    "sampled.txt": "1 0 d1 7 1\n1 0 d2 7 -1\n",
    "bm25.run": "1 Q0 d1 1 2.5 bm25\n",
    "run.csv": "query_id,doc_id,score\n1,d1,2.5\n",
    "both.csv": "query_id,doc_id,relevance,score\n1,d1,1,2.5\n",
    "queries.csv": "query_id,text\n1,hello\n",
    "docs.csv": "doc_id,text\n1,hello\n",
    "spans.csv": "doc_id,start,end,type\n1,0,5,PER\n",
    "items.csv": "item_id,label\n1,cat\n",
    "topics.301": "<top>\n<num> Number: 301\n<title> trees\n<desc> Description:\ntall ones\n</top>\n",
    "topics.qrels": "E11 2286 1\nECAT 2286 1\n",
    "smart.all": ".I 1\n.T\nTrees\n.W\nTall\n",
    "words.txt": "these are no fields of anything at all\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "name, kind",
    [
        ("qrels.txt", "qrels"), ("sampled.txt", "qrels"), ("bm25.run", "run"), ("run.csv", "run"),
        ("queries.csv", "queries"), ("topics.301", "queries"), ("docs.csv", "documents"), ("items.csv", "labels"),
    ],
)  # fmt: skip
def test_what_a_file_holds_is_recognised_and_told(folder: Path, name: str, kind: str) -> None:
    out = folder / "out.parquet"
    result = invoke("convert", str(folder / name), "-o", str(out))
    assert result.stdout == f"{out}: {pl.read_parquet(out).height} rows, read as {kind}\n"


@pytest.mark.parametrize(
    "name, kinds",
    [
        ("both.csv", "qrels or run"), ("topics.qrels", "qrels or run or labels"), ("smart.all", "queries or documents"),
        ("spans.csv", "documents or spans"),
    ],
)  # fmt: skip
def test_several_kinds_are_asked_for(folder: Path, name: str, kinds: str) -> None:
    result = invoke("convert", str(folder / name), "-o", str(folder / "out.parquet"))
    ways = " or ".join(f"--kind {kind}" for kind in kinds.split(" or "))
    assert result.exit_code == 2
    assert result.stderr.endswith(f"may hold {kinds}.\n  Say which: {ways}\n")
    assert not (folder / "out.parquet").exists()


def test_following_the_hint_works(folder: Path) -> None:
    out = str(folder / "out.jsonl")
    assert invoke("convert", str(folder / "topics.qrels"), "-o", out, "--kind", "labels").exit_code == 0
    assert pl.read_ndjson(out).rows() == [("2286", ["E11", "ECAT"])]
    as_csv = invoke("convert", str(folder / "topics.qrels"), "-o", str(folder / "out.csv"), "--kind", "labels")
    assert "Column 'label' holds List(String), which a csv file cannot" in as_csv.stderr
    assert "name a file that ends in .parquet or .jsonl" in as_csv.stderr


@pytest.mark.parametrize(
    "text, ways",
    [
        ("1 d1\n1 d2\n", ["--kind qrels --format pairs", "--score-from order"]),
        ("1 d1 1\n2 d2 1\n", ["--kind qrels --format pairs", "--kind run --format msmarco"]),
        ("1 1 d1 1\n1 2 d1 0\n", ["--second subtopic_id", "--second assessor_id"]),
    ],
)
def test_each_layout_that_fits_is_written_as_options(tmp_path: Path, text: str, ways: list[str]) -> None:
    path, out = tmp_path / "lines.txt", tmp_path / "out.csv"
    path.write_text(text)
    refused = invoke("convert", str(path), "-o", str(out))
    assert refused.exit_code == 1
    for way in ways:
        assert f": {way}\n" in refused.stderr
        assert invoke("convert", str(path), "-o", str(out), *way.split()).exit_code == 0


def test_standard_input_and_folders(tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    assert invoke("convert", "-", "-o", str(out), text=FILES["sampled.txt"].encode()).exit_code == 0
    assert out.read_text() == FILES["sampled.txt"]
    for name, text in (("corpus", '{"_id": "d1", "text": "a"}'), ("queries", '{"_id": "7", "text": "b"}')):
        (tmp_path / f"{name}.jsonl").write_text(text + "\n")
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n7\td1\t1\n")
    assert "may hold qrels or queries or documents" in invoke("convert", str(tmp_path), "-o", str(out)).stderr
    for kind, to, text in (("qrels", "ntcir", "7 d1 L1\n"), ("queries", "msmarco", "7\tb\n")):
        assert invoke("convert", str(tmp_path), "-o", str(out), "--kind", kind, "--to", to).exit_code == 0
        assert out.read_text() == text


def test_what_is_not_recognised_is_told(folder: Path) -> None:
    nothing = invoke("convert", str(folder / "words.txt"), "-o", str(folder / "out.csv"))
    assert nothing.exit_code == 1
    assert "holds nothing that is recognised. As qrels: " in nothing.stderr
    assert "--kind labels; qrels, run, queries" in nothing.stderr
    missing = invoke("convert", str(folder / "missing.txt"), "-o", str(folder / "out.csv"))
    assert "missing.txt does not exist" in missing.stderr
    unnamed = invoke("convert", str(folder / "topics.301"), "-o", str(folder / "out"))
    assert "Write: --to csv" in unnamed.stderr


def test_samples_stay_samples_and_trec_lines_say_what_they_lose(folder: Path) -> None:
    source, out = str(folder / "sampled.txt"), folder / "out.txt"
    assert invoke("convert", source, "-o", str(out)).stderr == ""
    assert out.read_text() == FILES["sampled.txt"]
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        lost = invoke("convert", source, "-o", str(out), "--to", "trec")
    assert "the trec format has no field for stratum, which is not written" in lost.stderr
    assert out.read_text() == "1 0 d1 1\n1 0 d2 -1\n"


def test_queries_and_documents_of_beir(folder: Path) -> None:
    out = folder / "queries.jsonl"
    invoke("convert", str(folder / "topics.301"), "-o", str(out), "--to", "beir")
    assert out.read_text() == '{"_id":"301","title":"trees","description":"tall ones"}\n'
    invoke("convert", str(folder / "smart.all"), "-o", str(out), "--to", "beir", "--kind", "documents")
    assert out.read_text() == '{"_id":"1","title":"Trees","text":"Tall"}\n'


def test_several_runs_become_one_table_and_lines_again(tmp_path: Path) -> None:
    runs = [str(DATA / "runs" / f"{name}.txt") for name in ("bm25", "lsa")]
    table, again = tmp_path / "runs.parquet", tmp_path / "runs.txt"
    assert invoke("convert", *runs, "-o", str(table)).exit_code == 0
    assert invoke("convert", str(table), "-o", str(again)).exit_code == 0
    assert ir.read_run(again, run_id="tag").sort(pl.all()).equals(ir.read_run(runs).sort(pl.all()))


def test_a_run_of_ranks_becomes_one_of_trec(tmp_path: Path) -> None:
    path, out = tmp_path / "run.tsv", tmp_path / "out.run"
    path.write_text("".join(f"1\td{rank}\t{rank}\n" for rank in range(1, 8)))
    refused = invoke("convert", str(path), "-o", str(out))
    assert "Take −rank as the score: --score-from rank. To write the ranks alone: --to msmarco" in refused.stderr
    assert invoke("convert", str(path), "-o", str(out), "--score-from", "rank").exit_code == 0
    assert out.read_text().startswith("1 Q0 d1 1 -1.0 run\n")


def test_a_format_that_no_kind_has_is_named(folder: Path) -> None:
    result = invoke("convert", str(folder / "topics.qrels"), "-o", str(folder / "out"), "--format", "pears")
    assert result.stderr.startswith("ireval: format='pears' is not allowed")
    assert "Write: --format pairs" in result.stderr
