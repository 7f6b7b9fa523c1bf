"""The formats of runs, judgments and queries, recognised and read."""

from __future__ import annotations

import bz2
import gzip
import lzma

import polars as pl
import pyarrow as pa
import pytest

from ireval_frames.errors import InvalidParameter, MalformedFile, MissingColumn, WrongType
from ireval_frames.io import describe, read_qrels, read_queries, read_run, scan_run
from tests.io.samples import CLEAN, ROWS

RUN = pl.DataFrame(ROWS, schema=["run_id", "query_id", "doc_id", "score"], orient="row")
GRADES = [("q1", "d1", 2), ("007", "NA", -1)]


def message(error, call, *args, **options) -> str:
    with pytest.raises(error) as caught:
        call(*args, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    "name, text, format, separator",
    [
        ("bm25.run", CLEAN.decode(), "trec", " "),
        ("bm25.csv", "run,query_id,docno,sim\n" + "".join(f"{r},{q},{d},{s}\n" for r, q, d, s in ROWS), "csv", ","),
        ("bm25.tsv", "qid\tdocno\tscore\n" + "".join(f"{q}\t{d}\t{s}\n" for _, q, d, s in ROWS), "tsv", "\t"),
        ("bm25.txt", "q_id,doc_id,score\n" + "".join(f"{q},{d},{s}\n" for _, q, d, s in ROWS), "csv", ","),
        ("bm25.txt", "qid Q0 docno rank score tag\n" + CLEAN.decode(), "csv", " "),
        (
            "bm25.txt",
            "# made by x\n\nqid\tdocno\tscore\textra\n" + "".join(f"{q}\t{d}\t{s}\t\n" for _, q, d, s in ROWS),
            "tsv",
            "\t",
        ),
        (
            "bm25.jsonl",
            "".join(f'{{"query_id": "{q}", "docid": "{d}", "score": {s}}}\n' for _, q, d, s in ROWS),
            "jsonl",
            None,
        ),
        (
            "bm25.run",
            "".join(f'{{"docid":"{d}","qid":"{q}","score":{s}, "x":[1]}}\n' for _, q, d, s in ROWS),
            "jsonl",
            None,
        ),
    ],
)
def test_run_formats(write_file, name, text, format, separator):
    for content in (text, text.replace("\n", "\r\n"), "\ufeff" + text, text[:-1]):
        path = write_file(content, name)
        assert read_run(path).rows() == ROWS
        (description,) = describe(path)
        assert (description.format, description.separator) == (format, separator)
        if format not in ("csv", "jsonl") or separator == ",":
            assert read_run(path, format=format).rows() == ROWS


@pytest.mark.parametrize("name", ["bm25.parquet", "bm25.arrow", "bm25.feather", "bm25.data", "stream"])
def test_typed_run_files(tmp_path, name):
    path = tmp_path / name
    frame = RUN.rename({"query_id": "qid", "score": "sim"})
    if name == "stream":
        frame.write_ipc_stream(path)
    elif name.endswith(("arrow", "feather")):
        frame.write_ipc(path)
    else:
        frame.write_parquet(path)
    assert read_run(path).rows() == ROWS
    assert read_run(path, run_id=None).columns == ["query_id", "doc_id", "score"]
    frame.drop("run_id").with_columns(
        qid=pl.Series([1, 1, 7], dtype=pl.UInt32), sim=pl.col("sim").cast(pl.Float32)
    ).write_parquet(path)
    typed = read_run(path)
    assert typed.schema == {"run_id": pl.String, "query_id": pl.Int64, "doc_id": pl.String, "score": pl.Float64}
    assert typed["run_id"].unique().to_list() == [path.stem]


def test_msmarco(write_file):
    for text in ("1\t10\t1\n1\t11\t2\n", "1 10 1\n1 11 2\n"):
        for name in ("dev.tsv", "dev.txt"):
            frame = read_run(write_file(text, name), format="msmarco")
            assert frame.rows() == [("dev", "1", "10", 1), ("dev", "1", "11", 2)]
            assert frame.columns == ["run_id", "query_id", "doc_id", "rank"]
    assert "3 (query_id doc_id rank)" in message(MalformedFile, read_run, write_file(CLEAN), format="msmarco")
    assert read_qrels(write_file("1\t0\t10\t1\n", "qrels.dev.tsv")).rows() == [("1", "10", 1)]
    assert read_qrels(write_file("1\t0\t10\t1\n", "qrels.dev.tsv"), format="msmarco").rows() == [("1", "10", 1)]


@pytest.mark.parametrize(
    "name, text, format",
    [
        ("qrels.txt", "q1 0 d1 2\n007 0 NA -1\n", "trec"),
        ("test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t2\n007\tNA\t-1\n", "beir"),
        ("qrels.csv", "q_id,doc_id,score\nq1,d1,2\n007,NA,-1\n", "csv"),
        ("qrels.csv", "doc_id,label,query_id,iteration\nd1,2,q1,0\nNA,-1,007,0\n", "csv"),
        (
            "qrels.jsonl",
            '{"query_id":"q1","doc_id":"d1","rel":2}\n{"query_id":"007","doc_id":"NA","rel":-1}\n',
            "jsonl",
        ),
        ("qrels", "topic docno grade\nq1 d1 2\n007 NA -1\n", "csv"),
    ],
)
def test_judgment_formats(write_file, name, text, format):
    path = write_file(text, name)
    assert read_qrels(path).rows() == GRADES
    assert read_qrels(path, relevance=float)["relevance"].to_list() == [2.0, -1.0]
    assert describe(path, "qrels")[0].format == format


def test_second_field(write_file):
    path = write_file("1 3 d1 1\n1 04 d1 0\n", "div.txt")
    assert read_qrels(path, second="subtopic_id").to_dicts()[1] == {
        "query_id": "1",
        "doc_id": "d1",
        "relevance": 0,
        "subtopic_id": "04",
    }
    assert read_qrels(path, second="assessor_id")["assessor_id"].to_list() == ["3", "04"]
    assert read_qrels(path, format="trec").columns == ["query_id", "doc_id", "relevance"]
    table = write_file("qid,docno,rel,subtopic,judge\n1,d,1,03,a\n", "div.csv")
    assert read_qrels(table).to_dicts() == [
        {"query_id": "1", "doc_id": "d", "relevance": 1, "subtopic_id": "03", "assessor_id": "a"}
    ]
    iteration = write_file("qid,docno,rel,iteration\n1,d,1,03\n", "it.csv")
    assert read_qrels(iteration, second="subtopic_id")["subtopic_id"].to_list() == ["03"]
    assert "subtopic_id" in message(
        MissingColumn, read_qrels, write_file("qid,docno,rel\n1,d,1\n", "x.csv"), second="subtopic_id"
    )


def test_typed_judgments(tmp_path):
    path = tmp_path / "qrels.parquet"
    pl.DataFrame({"qid": ["q"], "docno": ["d"], "rel": pl.Series([2], dtype=pl.Int8)}).write_parquet(path)
    assert read_qrels(path).schema == {"query_id": pl.String, "doc_id": pl.String, "relevance": pl.Int64}
    assert read_qrels(path, relevance=float).schema["relevance"] == pl.Float64
    pl.DataFrame({"qid": ["q"], "docno": ["d"], "rel": [1.5]}).write_parquet(path)
    assert "relevance=float" in message(WrongType, read_qrels, path)
    assert read_qrels(path, relevance=float)["relevance"].to_list() == [1.5]
    pl.DataFrame({"qid": ["q"], "docno": ["d"], "rel": ["1"]}).write_parquet(path)
    assert "must hold numbers" in message(WrongType, read_qrels, path)


def test_explicit_names(write_file):
    path = write_file("number,document,points\nq1,d1,2\n", "odd.csv")
    columns = {"query_id": "number", "doc_id": "document", "relevance": "points"}
    assert read_qrels(path, columns=columns).rows() == [("q1", "d1", 2)]
    assert "line 1 is read as the header" in message(MissingColumn, read_qrels, path)
    assert "points" in message(MissingColumn, read_qrels, path, columns={**columns, "relevance": "point"})
    assert read_qrels(write_file("number\tdocument\tpoints\nq1\td1\t2\n", "odd.txt"), columns=columns).rows() == [
        ("q1", "d1", 2)
    ]


def test_wrong_headers(write_file):
    assert "'query_id'" in message(MissingColumn, read_run, write_file("q1,d1,2.5\nq1,d2,1.5\n", "a.csv"))
    assert "'score'" in message(MissingColumn, read_run, write_file("qid,docno\nq1,d1\n", "a.csv"))
    assert "twice" in message(InvalidParameter, read_run, write_file("qid,docno,score,score\nq1,d1,1,1\n", "a.csv"))
    assert "is read as the header" in message(MissingColumn, read_queries, write_file("a,b\n1,2\n", "a.csv"))


@pytest.mark.parametrize("blank", [" ", "\t"])
def test_ids_may_be_names_of_columns(write_file, blank):
    run = "q1 Q0 doc 1 2.5 t\nquery Q0 d2 2 1.5 t\n".replace(" ", blank)
    assert read_run(write_file(run, "t.txt")).rows() == [("t", "q1", "doc", 2.5), ("t", "query", "d2", 1.5)]
    qrels = "qid 0 d1 1\nq1 0 docid 0\n".replace(" ", blank)
    assert read_qrels(write_file(qrels, "judged.txt")).rows() == [("qid", "d1", 1), ("q1", "docid", 0)]


def test_swapped_tables_are_named(write_file):
    assert "scan_qrels" in message(MalformedFile, scan_run, write_file("q1 0 d1 1\nq1 0 d2 0\n", "x"))
    assert "scan_run" in message(MalformedFile, read_qrels, write_file(CLEAN))
    assert "scan_run" in message(MissingColumn, read_qrels, write_file("qid,docno,score,rank\nq,d,1,1\n", "a.csv"))
    assert "scan_qrels" in message(MissingColumn, read_run, write_file("qid,docno,rel\nq,d,1\n", "a.csv"))


def test_ranks_on_demand(write_file):
    assert read_run(write_file(CLEAN), rank=True)["rank"].to_list() == [1, 2, 1]
    csv = write_file("qid,docno,score,rank\nq,d,1.5,3\n", "a.csv")
    assert read_run(csv).columns == ["run_id", "query_id", "doc_id", "score"]
    assert read_run(csv, rank=True)["rank"].to_list() == [3]
    assert read_run(write_file("qid,docno,rank\nq,d,3\n", "b.csv")).columns == ["run_id", "query_id", "doc_id", "rank"]
    assert "'rank'" in message(MissingColumn, read_run, write_file("qid,docno,score\nq,d,3\n", "c.csv"), rank=True)


@pytest.mark.parametrize(
    "suffix, compress",
    [
        ("gz", gzip.compress),
        ("bz2", bz2.compress),
        ("xz", lzma.compress),
        ("zst", lambda b: pa.compress(b, codec="zstd", asbytes=True)),
    ],
)
def test_compressed(write_file, suffix, compress):
    (description,) = describe(write_file(compress(CLEAN), f"bm25.run.{suffix}"))
    assert description.compression == {"gz": "gzip", "zst": "zstd"}.get(suffix, suffix)
    assert read_run(write_file(compress(CLEAN), f"bm25.run.{suffix}")).rows() == ROWS
    assert read_run(write_file(compress(CLEAN), "bm25.run")).rows() == ROWS
    halves = CLEAN[:25], CLEAN[25:]
    assert read_run(write_file(b"".join(map(compress, halves)), f"bm25.run.{suffix}")).rows() == ROWS
    table = b"qid,docno,score\n" + b"".join(f"{q},{d},{s}\n".encode() for _, q, d, s in ROWS)
    assert read_run(write_file(compress(table), f"bm25.csv.{suffix}")).rows() == ROWS


def test_queries(write_file, tmp_path):
    expected = [("007", "NA", None), ("2", "tail, rare", "x")]
    assert read_queries(write_file('qid,segment,note\n007,NA,\n2,"tail, rare",x\n', "q.csv")).rows() == expected
    frame = read_queries(write_file("segment\ttopic\nNA\t007\n", "q.tsv"))
    assert frame.columns == ["segment", "query_id"]
    assert frame.rows() == [("NA", "007")]
    assert read_queries(write_file("number\tx\n1\t2\n", "q.tsv"), {"query_id": "number"}).rows() == [("1", "2")]
    assert read_queries(write_file("qid\n1\n2\n", "q.txt")).rows() == [("1",), ("2",)]
    typed = read_queries(write_file('{"qid": 1, "length": 3}\n{"qid": "x", "length": 4, "new": true}\n', "q.jsonl"))
    assert typed.rows() == [("1", 3, None), ("x", 4, True)]
    assert "line 2" in message(MalformedFile, read_queries, write_file('{"qid": 1}\n{"id": 2}\n', "q.jsonl"))
    assert "different types" in message(
        MalformedFile, read_queries, write_file('{"qid": 1, "a": 1}\n{"qid": 2, "a": "x"}\n', "q.jsonl")
    )
    path = tmp_path / "q.parquet"
    pl.DataFrame({"length": [3], "qid": [5]}).write_parquet(path)
    assert read_queries(path).to_dicts() == [{"length": 3, "query_id": 5}]


def test_a_majority_of_lines_decides(write_file):
    assert "line 1: 3 fields" in message(MalformedFile, read_run, write_file(b"q1 Q0 d1\n" + CLEAN))
    assert describe(write_file(b"q1 Q0 d1\n" + CLEAN))[0].format == "trec"


def test_not_json_lines(write_file):
    assert "needs several: query_id, doc_id" in message(MissingColumn, read_run, write_file('[{"qid": 1}]\n', "a.json"))
    assert "not a JSON object" in message(MalformedFile, read_run, write_file("x\n", "a.jsonl"))
