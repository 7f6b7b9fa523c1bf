"""Small files of every format: each is read as what it is, and by no other reader."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from data.formats.lines.make import DOCUMENTS, GRADES, LISTS, TEXTS, judged, retrieved, write
from ireval_frames.errors import AmbiguousFile, IrevalError
from ireval_frames.io import read_documents, read_qrels, read_queries, read_run

FILES = Path("data/formats/lines")
READERS: dict[str, Callable[..., pl.DataFrame]] = {
    "qrels": read_qrels, "run": read_run, "queries": read_queries, "documents": read_documents,
}  # fmt: skip
# What reads each file without more being said; texts behind ids may be queries or documents.
READ = {
    "judgments/trec.txt": "qrels", "judgments/three_fields.txt": "qrels", "judgments/pairs.txt": "",
    "judgments/ntcir.txt": "qrels", "judgments/subtopics.txt": "", "judgments/preferences.txt": "qrels",
    "judgments/prels.txt": "qrels", "judgments/sampled.txt": "qrels", "judgments/passages.txt": "qrels",
    "runs/trec.run": "run", "runs/without_tag.run": "run", "runs/three_fields.run": "run", "runs/ranks.run": "",
    "runs/order.run": "", "msmarco/queries.tsv": "queries documents", "msmarco/collection.tsv": "queries documents",
    "msmarco/docs.tsv": "documents", "msmarco/qrels.tsv": "qrels", "msmarco/run.tsv": "run",
    "msmarco/top1000.tsv": "queries documents", "beir/corpus.jsonl": "documents",
    "beir/queries.jsonl": "queries documents", "beir/qrels/test.tsv": "qrels", "mteb/corpus.jsonl": "documents",
    "mteb/queries.jsonl": "queries documents", "mteb/qrels/test.jsonl": "qrels",
    "mteb_parquet/corpus/corpus-00000-of-00001.parquet": "documents",
    "mteb_parquet/queries/queries-00000-of-00001.parquet": "queries documents",
    "mteb_parquet/data/test-00000-of-00001.parquet": "qrels",
}  # fmt: skip


def read_by(path: Path) -> tuple[set[str], list[IrevalError]]:
    """The readers that read a file, and the errors of the others."""
    able, errors = set(), []
    for name, read in READERS.items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                read(path)
            able.add(name)
        except IrevalError as error:
            errors.append(error)
    return able, errors


def test_the_files_are_those_of_the_script(tmp_path: Path) -> None:
    write(tmp_path)
    written = {str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*") if p.is_file()}
    assert written == READ.keys(), f"Enter in READ which readers read it: {sorted(written ^ READ.keys())}"
    for name in written:
        assert (tmp_path / name).read_bytes() == (FILES / name).read_bytes() or name.endswith(".parquet"), name


def test_every_file_is_read_as_what_it_is_and_as_nothing_else() -> None:
    for name, readers in READ.items():
        able, errors = read_by(FILES / name)
        assert able == set(readers.split()), name
        for error in errors:
            named = " has " in error.what or " may have " in error.what or isinstance(error, AmbiguousFile)
            # Two fields may be names of columns as well.
            assert named or (name in ("judgments/pairs.txt", "runs/order.run") and "read as the header" in error.what)
            assert error.hint


def test_files_of_collections_are_read_by_no_reader_of_something_else() -> None:
    folder = Path("data/formats/collections")
    both = {"queries", "documents"}
    expected = {
        "smart/docs.all": both, "smart/query.text": both, "npl/doc-text": both, "npl/query-text": both,
        "cfc/cfquery": {"qrels", "queries"}, "cfc/cfquery.xml": {"qrels", "queries"}, "cranfield/cranqrel": set(),
    }  # fmt: skip
    for path in folder.rglob("*"):
        if path.is_file() and path.suffix not in (".md", ".py", ".pyc"):
            able, errors = read_by(path)
            name = str(path.relative_to(folder))
            assert able == expected.get(name, able), name
            assert len(able) == len(expected.get(name, {""})), name
            assert all(" has " in e.what or " may have " in e.what or " holds " in e.what for e in errors), name


# The one document that the sample leaves out.
UNJUDGED = ("4", "W-4")
JUDGED = [(str(q), f"W-{d}", grade) for q, d, grade in judged()]


@pytest.mark.parametrize(
    "name", [name for name, readers in READ.items() if "qrels" in readers.split() and "msmarco" not in name]
)
def test_judgments(name: str) -> None:
    frame = read_qrels(FILES / name)
    rows = [(str(int(q)), d, g) for q, d, g in frame.select("query_id", "doc_id", "relevance").rows()]
    if name.endswith("prels.txt"):
        assert rows == [row for row in JUDGED if row[:2] != UNJUDGED]
    elif name.endswith("sampled.txt"):
        assert rows == [(q, d, -1 if (q, d) == UNJUDGED else g) for q, d, g in JUDGED]
    else:
        assert rows == JUDGED


@pytest.mark.parametrize("folder", ["beir", "mteb", "mteb_parquet"])
def test_folders(folder: str) -> None:
    assert read_qrels(FILES / folder).rows() == JUDGED
    assert read_queries(FILES / folder).select("query_id", "text").rows() == [(str(n), t) for n, t in TEXTS.items()]
    documents = read_documents(FILES / folder)
    assert documents["doc_id"].to_list() == [f"W-{n}" for n, _, _ in DOCUMENTS]
    run = FILES / "runs" / "trec.run"
    values = [
        ir.evaluate(str(FILES / folder), str(run), "RR nDCG", engine=engine).summary()["value"].to_list()
        for engine in ("polars", "duckdb")
    ]
    firsts = [next(i for i, (d, _) in enumerate(docs, 1) if GRADES[q].get(d)) for q, docs in LISTS.items()]
    assert values[0] == values[1]
    assert values[0][0] == pytest.approx(sum(1 / first for first in firsts) / len(firsts), abs=1e-12)


def test_runs() -> None:
    expected = [(str(q), f"W-{d}", score) for q, d, _, score in retrieved()]
    for name in ("trec", "without_tag", "three_fields"):
        assert read_run(FILES / "runs" / f"{name}.run", run_id=None).rows() == expected
    by_rank = [(str(q), f"W-{d}", -float(rank)) for q, d, rank, _ in retrieved()]
    assert read_run(FILES / "runs" / "ranks.run", score_from="rank", run_id=None).rows() == by_rank
    assert read_run(FILES / "runs" / "order.run", score_from="order", run_id=None).rows() == by_rank
    assert read_run(FILES / "msmarco" / "run.tsv").select("query_id", "rank").rows() == [
        (str(q), rank) for q, _, rank, _ in retrieved()
    ]
    candidates = read_run(FILES / "msmarco" / "top1000.tsv", score_from="order")
    assert candidates["doc_id"].to_list() == [str(d) for _, d, _, _ in retrieved()]
