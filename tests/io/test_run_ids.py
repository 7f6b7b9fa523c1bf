"""What a run is called, and several files at once."""

from __future__ import annotations

import polars as pl
import pytest

from ireval_frames.errors import InvalidParameter, WrongType
from ireval_frames.io import read_qrels, read_run, scan_run
from tests.io.samples import CLEAN

LINE = "q1 Q0 d1 1 2.5 tag{}\n"


@pytest.mark.parametrize(
    "name, stem",
    [
        ("bm25.run", "bm25"),
        ("bm25.run.gz", "bm25"),
        ("bm25", "bm25"),
        ("bm25.v2.txt", "bm25.v2"),
        ("input.bm25.XZ", "input"),
        (".run", ".run"),
    ],
)
def test_named_after_the_file(write_file, name, stem):
    assert read_run(write_file(CLEAN, name))["run_id"].unique().to_list() == [stem]


def test_choices(write_file):
    path = write_file(LINE.format("A") + LINE.format("B"))
    assert read_run(path, run_id="tag")["run_id"].to_list() == ["tagA", "tagB"]
    assert read_run(path, run_id=None).columns == ["query_id", "doc_id", "score"]
    with pytest.raises(InvalidParameter, match="has no run tag"):
        read_run(write_file("1\t2\t3\n"), run_id="tag", format="msmarco")
    with pytest.raises(InvalidParameter, match="has no run tag"):
        read_run(write_file("qid,docno,score\nq,d,1\n", "a.csv"), run_id="tag")


def test_a_tables_own_runs_are_kept(write_file):
    path = write_file("run,qid,docno,score\nA,q,d,1\nB,q,d,2\n", "many.csv")
    assert read_run(path)["run_id"].to_list() == ["A", "B"]
    assert read_run(path, run_id="tag")["run_id"].to_list() == ["A", "B"]
    assert "run_id" not in read_run(path, run_id=None).columns


def test_several_files(write_file):
    one, two = write_file(LINE.format(1), "one.run"), write_file(LINE.format(2) * 2, "two.run")
    for source in ([one, two], str(one.parent / "*.run"), [str(one.parent / "o*.run"), two]):
        assert read_run(source)["run_id"].to_list() == ["one", "two", "two"]
        assert scan_run(source).select(pl.col("run_id").n_unique()).collect().item() == 2
        assert scan_run(source).select(pl.len()).collect().item() == 3
        assert "one.run and 1 more]" in scan_run(source).explain()
    assert "one.run]" in scan_run(one).explain()
    assert read_run([one, two], run_id="tag")["run_id"].to_list() == ["tag1", "tag2", "tag2"]
    assert read_run(iter([two, one]))["run_id"].to_list() == ["two", "two", "one"]


def test_same_stem(write_file):
    one, two = write_file(CLEAN, "a/bm25.run"), write_file(CLEAN, "b/bm25.txt.gz")
    with pytest.raises(InvalidParameter, match=r"(?s)would both be called run 'bm25'.*run_id=\"tag\".*rename"):
        scan_run([one, two])
    assert read_run([one, two], run_id="tag").height == read_run([one, two], run_id=None).height == 6


def test_text_beside_typed_files(write_file, tmp_path):
    text, typed = write_file(CLEAN, "one.run"), tmp_path / "two.parquet"
    pl.DataFrame({"query_id": ["q"], "doc_id": ["d"], "score": [1.0]}).write_parquet(typed)
    assert read_run([text, typed])["run_id"].to_list() == ["one"] * 3 + ["two"]
    pl.DataFrame({"query_id": [1], "doc_id": ["d"], "score": [1.0]}).write_parquet(typed)
    with pytest.raises(WrongType, match=r"one\.run has the columns .*two\.parquet has .*query_id \(Int64\)"):
        read_run([text, typed])
    with pytest.raises(WrongType, match="has the columns"):
        read_run([text, write_file("".join(f"1 {n} {n}\n" for n in range(1, 12)), "three.run")])


def test_brackets_in_a_name(write_file):
    assert read_run(write_file(CLEAN, "bm25[k=1].run"))["run_id"][0] == "bm25[k=1]"


def test_judgments_of_several_files(write_file):
    paths = [write_file("1 0 a 1\n", "a.qrels"), write_file("2 0 a 1\n", "b.qrels")]
    assert read_qrels(paths)["query_id"].to_list() == ["1", "2"]
