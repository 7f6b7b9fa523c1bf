"""Writers: formats, round trips, and nothing half-written."""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl
import pytest

from ireval_frames.errors import EngineError, FileError, InvalidParameter, InvalidValue, MissingColumn, ReadingWarning
from ireval_frames.io import (
    read_documents,
    read_qrels,
    read_queries,
    read_run,
    write_documents,
    write_qrels,
    write_queries,
    write_run,
    write_table,
)
from ireval_frames.io.run_header import header

RUN = pl.DataFrame(
    [("b", "1", "x", 1.0), ("a", "2", "x", 1e-7), ("a", "1", "d1", 2.0), ("a", "1", "d3", 2.0), ("a", "1", "d2", 3.5)],
    schema=["run_id", "query_id", "doc_id", "score"],
    orient="row",
)
QRELS = pl.DataFrame({"query_id": ["1", "1"], "doc_id": ["a", 'b"'], "relevance": [2, 0]})
SUFFIXES = ["", ".gz", ".bz2", ".xz", ".zst"]


def test_trec_order_and_ranks(tmp_path):
    write_run(RUN, tmp_path / "all.run")
    assert [line.split() for line in (tmp_path / "all.run").read_text().splitlines()] == [
        ["1", "Q0", "d2", "1", "3.5", "a"],
        ["1", "Q0", "d3", "2", "2.0", "a"],
        ["1", "Q0", "d1", "3", "2.0", "a"],
        ["2", "Q0", "x", "1", "1e-7", "a"],
        ["1", "Q0", "x", "1", "1.0", "b"],
    ]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", ["all.run", "all.csv", "all.tsv", "all.jsonl"])
def test_text_round_trips(tmp_path, name, suffix):
    path = tmp_path / (name + suffix)
    write_run(RUN.lazy(), path)
    assert read_run(path, run_id="tag").sort(pl.all()).equals(RUN.sort(pl.all()))
    write_qrels(QRELS, path)
    assert read_qrels(path).equals(QRELS)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("name", ["all.parquet", "all.arrow", "all.feather"])
def test_typed_round_trips(tmp_path, name):
    write_run(RUN, tmp_path / name)
    assert read_run(tmp_path / name).equals(RUN)


def test_same_bytes_each_time(tmp_path):
    write_run(RUN, tmp_path / "a.run.gz", tag="t")
    write_run(RUN.reverse(), tmp_path / "b.run.gz", tag="t")
    assert (tmp_path / "a.run.gz").read_bytes() == (tmp_path / "b.run.gz").read_bytes()


def test_tag(tmp_path):
    frame = RUN.drop("run_id").head(1)
    write_run(frame, tmp_path / "bm25.run.gz")
    assert read_run(tmp_path / "bm25.run.gz", run_id="tag")["run_id"].to_list() == ["bm25"]
    write_run(RUN, tmp_path / "bm25.run", tag="mine")
    assert read_run(tmp_path / "bm25.run", run_id="tag")["run_id"].unique().to_list() == ["mine"]
    write_run(frame.rename({"query_id": "qid", "score": "sim"}), tmp_path / "bm25.run")
    assert read_run(tmp_path / "bm25.run").height == 1


def test_msmarco(tmp_path):
    write_run(RUN.filter(run_id="a"), tmp_path / "a.run", format="msmarco")
    assert (tmp_path / "a.run").read_text() == "1\td2\t1\n1\td3\t2\n1\td1\t3\n2\tx\t1\n"
    ranked = read_run(tmp_path / "a.run", format="msmarco")
    write_run(ranked.reverse(), tmp_path / "b.run", format="msmarco")
    assert (tmp_path / "b.run").read_text() == (tmp_path / "a.run").read_text()
    with pytest.raises(MissingColumn, match="score"):
        write_run(ranked, tmp_path / "c.run")


def test_judgments(tmp_path):
    path = tmp_path / "qrels.txt"
    write_qrels(QRELS, path)
    assert path.read_text() == '1 0 a 2\n1 0 b" 0\n'
    write_qrels(QRELS.with_columns(subtopic_id=pl.lit("7")), path)
    assert read_qrels(path, second="subtopic_id")["subtopic_id"].to_list() == ["7", "7"]
    write_qrels(QRELS, path, format="beir")
    assert path.read_text() == 'query-id\tcorpus-id\tscore\n1\ta\t2\n1\tb"\t0\n'
    assert read_qrels(path).equals(QRELS)
    write_qrels(QRELS, path, format="msmarco")
    assert read_qrels(path).equals(QRELS)
    write_qrels(QRELS.with_columns(pl.col("relevance") / 3), path)
    assert read_qrels(path, relevance=float)["relevance"].to_list() == [2 / 3, 0.0]


def test_beir_without_subtopics(tmp_path):
    with pytest.raises(InvalidParameter, match="no field for subtopic_id"):
        write_qrels(QRELS.with_columns(subtopic_id=pl.lit("7")), tmp_path / "q", format="beir")


SAMPLED = QRELS.with_columns(stratum=pl.lit("7"))
PRELS = QRELS.with_columns(method=pl.lit("1"), iprob=pl.Series([1.0, 0.25]))


@pytest.mark.parametrize(
    "frame, lines",
    [
        (SAMPLED, '1 0 a 7 2\n1 0 b" 7 0\n'),
        (PRELS, '1 a 2 1 1.0\n1 b" 0 1 0.25\n'),
        (QRELS.with_columns(assessor_id=pl.lit("x"), subgroup_id=pl.lit("1")), '1 x 1 a 2\n1 x 1 b" 0\n'),
    ],
)
def test_the_layout_follows_the_columns(tmp_path, frame, lines):
    write_qrels(frame, tmp_path / "qrels.txt")
    assert (tmp_path / "qrels.txt").read_text() == lines
    read = read_qrels(tmp_path / "qrels.txt", format="prefs" if "subgroup_id" in frame.columns else "auto")
    assert read.select(frame.columns).equals(frame.cast({"relevance": read.schema["relevance"]}))


def test_what_a_layout_cannot_hold_is_told(tmp_path):
    with pytest.warns(ReadingWarning, match=r"qrels.txt: the trec format has no field for method, iprob"):
        write_qrels(PRELS, tmp_path / "qrels.txt", format="trec")
    assert (tmp_path / "qrels.txt").read_text() == '1 0 a 2\n1 0 b" 0\n'
    with pytest.raises(MissingColumn, match="no column 'method'"):
        write_qrels(SAMPLED, tmp_path / "prels.txt", format="prels")
    both = QRELS.with_columns(subtopic_id=pl.lit("7"), assessor_id=pl.lit("x"))
    with pytest.raises(InvalidParameter, match="The trec format has no field for assessor_id"):
        write_qrels(both, tmp_path / "both.txt")


@pytest.mark.parametrize("value", ["a b", "a\tb", "", "a\n", None, "a\rb"])
@pytest.mark.parametrize("column", ["query_id", "doc_id", "run_id"])
def test_ids_that_text_cannot_hold(tmp_path, column, value):
    with pytest.raises(InvalidValue, match=column):
        write_run(RUN.with_columns(pl.lit(value, pl.String).alias(column)), tmp_path / "a.run")
    assert [p.name for p in tmp_path.iterdir()] == []


def test_a_query_like_a_comment(tmp_path):
    with pytest.raises(InvalidValue, match="#1"):
        write_run(RUN.with_columns(query_id=pl.lit("#1")), tmp_path / "a.run")
    write_run(RUN.with_columns(doc_id=pl.lit("#1")), tmp_path / "a.run")
    assert read_run(tmp_path / "a.run")["doc_id"].unique().to_list() == ["#1"]


@pytest.mark.parametrize("value", [None, float("nan"), float("inf")])
def test_scores_that_text_cannot_hold(tmp_path, value):
    with pytest.raises(InvalidValue, match="finite score"):
        write_run(RUN.with_columns(score=pl.lit(value, pl.Float64)), tmp_path / "a.run")
    with pytest.raises(InvalidValue, match="finite relevance"):
        write_qrels(QRELS.with_columns(relevance=pl.lit(value, pl.Float64)), tmp_path / "q")
    with pytest.raises(InvalidValue, match="must hold numbers"):
        write_run(RUN.with_columns(score=pl.lit("1")), tmp_path / "a.run")


@pytest.mark.parametrize("name", ["a.run", "a.run.gz", "a.run.zst", "a.parquet", "a.csv.xz", "a.jsonl.bz2"])
def test_nothing_half_written(tmp_path: Path, monkeypatch, name):
    path = tmp_path / name
    path.write_text("before")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(FileError, match="cannot be written: No space left"):
        write_run(RUN, path)
    assert [p.name for p in tmp_path.iterdir()] == [name]
    assert path.read_text() == "before"


def test_nothing_half_written_when_interrupted(tmp_path, monkeypatch):
    def interrupt(_: object, stream, **__: object) -> None:
        stream.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(pl.DataFrame, "write_csv", interrupt)
    for name in ("a.run", "a.run.gz", "a.run.zst"):
        with pytest.raises(KeyboardInterrupt):
            write_run(RUN, tmp_path / name)
    assert [p.name for p in tmp_path.iterdir()] == []


def test_engine_errors_are_ours(tmp_path):
    objects = pl.DataFrame({"a": pl.Series([object()], dtype=pl.Object)})
    with pytest.raises(EngineError, match="cannot be written"):
        write_table(objects, tmp_path / "a.parquet")
    with pytest.raises(InvalidParameter, match=r"Column 'a' holds List\(Int64\), which a csv file cannot"):
        write_table(pl.DataFrame({"a": [[1, 2]]}), tmp_path / "a.csv")
    assert [p.name for p in tmp_path.iterdir()] == []
    with pytest.raises(EngineError, match="cannot be collected"):
        write_table(RUN.lazy().select("nothing"), tmp_path / "a.csv")


def test_places(tmp_path):
    with pytest.raises(FileError, match="no folder"):
        write_run(RUN, tmp_path / "no" / "a.run")
    with pytest.raises(FileError, match="is a directory"):
        write_run(RUN, tmp_path)
    target = tmp_path / "target.run"
    target.write_text("old")
    link = tmp_path / "link.run"
    link.symlink_to(target)
    write_run(RUN, link)
    assert link.is_symlink()
    assert read_run(target).height == 5


def test_mode_follows_the_umask(tmp_path):
    old = os.umask(0o022)
    try:
        write_run(RUN, tmp_path / "a.run")
    finally:
        os.umask(old)
    assert (tmp_path / "a.run").stat().st_mode & 0o777 == 0o644


def test_parameters(tmp_path):
    with pytest.raises(InvalidParameter, match="no suffix of a known format"):
        write_table(RUN, tmp_path / "a.txt")
    with pytest.raises(InvalidParameter, match="compressed internally"):
        write_table(RUN, tmp_path / "a.parquet.gz")
    with pytest.raises(InvalidParameter, match="format="):
        write_run(RUN, tmp_path / "a", format="xml")
    with pytest.raises(InvalidParameter, match="Polars frame"):
        write_run([1], tmp_path / "a.run")
    with pytest.raises(MissingColumn, match="doc_id"):
        write_run(RUN.drop("doc_id"), tmp_path / "a.run")


@pytest.mark.parametrize(
    "metadata",
    [
        {"tag": "bm25", "method": {"automatic": True, "k1": 1.2, "steps": ["a: b", "yes", None, {"x": []}]}},
        "tag: bm25\nmethod:\n  automatic: true",
        {"odd # name": "#x\n: 'ü' \"\u2028"},
    ],
)
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_metadata_stand_at_the_head(tmp_path, metadata, suffix):
    path = tmp_path / f"one.run{suffix}"
    one = RUN.filter(run_id="a")
    write_run(one, path, metadata=metadata)
    assert (
        read_run(path, run_id="tag")
        .sort(pl.all())
        .equals(one.select("run_id", "query_id", "doc_id", "score").sort(pl.all()))
    )
    head = header(path)
    assert metadata == head if isinstance(metadata, str) else head is not None
    write_run(one, tmp_path / "again.run", metadata=head)
    assert header(tmp_path / "again.run") == head


def test_metadata_that_cannot_be_written(tmp_path):
    for wrong in ("x\nir_metadata.end\ny", 3, {"a": float("nan")}, {"a": object()}, "a\rb"):
        with pytest.raises(InvalidParameter):
            write_run(RUN, tmp_path / "x.run", metadata=wrong)
    with pytest.raises(InvalidParameter, match="cannot have metadata"):
        write_run(RUN, tmp_path / "x.csv", metadata="tag: x")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "format, frame",
    [
        ("trec", QRELS),
        ("pairs", QRELS),
        ("ntcir", QRELS),
        ("beir", QRELS),
        ("diversity", QRELS.with_columns(subtopic_id=pl.lit("3"))),
        ("sampled", SAMPLED),
        ("prels", PRELS),
        ("passages", QRELS.with_columns(start=pl.Series([0, 7]), length=pl.Series([120, 5]))),
        (
            "prefs",
            QRELS.with_columns(pl.col("relevance").cast(float), assessor_id=pl.lit("x"), subgroup_id=pl.lit("g")),
        ),
    ],
)
def test_every_format_of_judgments_reads_back(tmp_path, format, frame):
    path = tmp_path / "qrels.lines"
    write_qrels(frame, path, format=format)
    assert read_qrels(path, format=format).select(frame.columns).equals(frame)


def test_levels_are_whole_numbers(tmp_path):
    for grade in (-1, 0.5):
        with pytest.raises(
            InvalidValue,
            match=rf"Levels are whole numbers from 0, and grades are others: 1, such as {grade}(.|\n)*format=\"pairs\"",
        ):
            write_qrels(
                QRELS.with_columns(relevance=pl.Series([1, grade], strict=False)), tmp_path / "q", format="ntcir"
            )


def test_runs_of_ranklib(tmp_path):
    one = RUN.filter(run_id="a")
    write_run(one, tmp_path / "a.run", format="ranklib")
    read = read_run(tmp_path / "a.run", format="ranklib")
    assert read.sort(pl.all()).equals(one.select(read.columns).sort(pl.all()))


TEXTS = pl.DataFrame({"query_id": ["7", "8"], "text": ["what is it", None], "title": ["A", "B"]})


def test_queries_and_documents(tmp_path):
    plain = TEXTS.drop("title").with_columns(pl.col("text").fill_null("who"))
    for written, name in (("msmarco", "q.tsv"), ("beir", "q.jsonl"), ("auto", "q.csv"), ("auto", "q.parquet")):
        write_queries(plain, tmp_path / name, format=written)
        assert read_queries(tmp_path / name).equals(plain)
    documents = TEXTS.rename({"query_id": "docno"})
    write_documents(documents, tmp_path / "corpus.jsonl", format="beir")
    assert read_documents(tmp_path / "corpus.jsonl").equals(documents.rename({"docno": "doc_id"}))


def test_texts_that_lines_cannot_hold(tmp_path):
    path = tmp_path / "q.txt"
    with pytest.warns(ReadingWarning) as caught:
        write_queries(TEXTS.with_columns(text=pl.Series(["a\tb\nc", None])), path, format="msmarco")
    assert path.read_text() == "7\ta b c\n8\t\n"
    assert ["became blanks in texts: 1" in str(w.message) for w in caught] == [True, False]
    assert "has no field for title" in str(caught[1].message)
    with pytest.raises(MissingColumn, match="no column 'text'"):
        write_queries(TEXTS.select("query_id"), path, format="msmarco")
    with pytest.raises(InvalidValue, match="query_id is null in 1 rows"):
        write_queries(TEXTS.with_columns(query_id=pl.Series(["7", None])), path, format="msmarco")
    with pytest.raises(InvalidValue, match=r"'a\\tb' cannot be written between tabs"):
        write_queries(TEXTS.with_columns(query_id=pl.Series(["7", "a\tb"])), path, format="msmarco")
    for name in ("#8", "a b", ""):
        with pytest.raises(InvalidValue, match=f"{name!r} cannot be written between tabs"):
            write_queries(TEXTS.with_columns(query_id=pl.Series(["7", name])), path, format="msmarco")
    with pytest.raises(InvalidParameter, match="no suffix of a known format"):
        write_queries(TEXTS, path)
