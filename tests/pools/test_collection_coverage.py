"""Coverage of a collection equals the loops, on both engines and from files."""

from __future__ import annotations

import random
from pathlib import Path

import duckdb
import polars as pl
import pytest

from ireval_frames.errors import InvalidValue, MismatchedTables, MissingColumn, NothingInCommon
from ireval_frames.pools import collection_coverage
from tests.oracles import collection as oracle

ENGINES = ["polars", "duckdb"]


def tables(seed: int) -> tuple[list[str], list[oracle.Judged]]:
    draw = random.Random(seed)
    documents = [f"d{draw.randint(0, 11)}" for _ in range(9)]
    rows = [
        (f"q{draw.randint(0, 3)}", f"d{draw.randint(0, 14)}", float(draw.choice([-1, 0, 0, 1, 2]))) for _ in range(30)
    ]
    return documents, [*rows, ("q0", documents[0], 1.0)]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("rel", [1.0, 2.0])
def test_coverage_equals_the_loops(engine: str, rel: float) -> None:
    for seed in range(5):
        documents, rows = tables(seed)
        docs = pl.DataFrame({"docno": documents})
        qrels = pl.DataFrame(rows, schema=["qid", "docno", "rel"], orient="row").with_row_index("subtopic_id")
        coverage = collection_coverage(docs, qrels, rel=rel, engine=engine)
        assert coverage.per_query().rows() == oracle.per_query(documents, rows, rel)
        assert coverage.summary().row(0, named=True) == oracle.summary(documents, rows, rel)
        grades = oracle.largest(rows)
        dangling = sorted((q, d, g) for (q, d), g in grades.items() if d not in documents)
        assert coverage.dangling().rows() == dangling
        judged = {d for _, d in grades}
        assert coverage.never_judged()["doc_id"].to_list() == sorted(set(documents) - judged)


def test_documents_stay_where_they_are() -> None:
    con = duckdb.connect()
    con.execute("CREATE TABLE docs AS SELECT * FROM (VALUES ('a'), ('b')) AS t(doc_id)")
    qrels = pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "z"], "relevance": [1, 1]})
    coverage = collection_coverage(con.table("docs"), qrels)
    assert coverage.summary()["coverage"].to_list() == [0.5]
    assert collection_coverage("docs", qrels, con=con).dangling()["doc_id"].to_list() == ["z"]


def test_files_and_what_is_printed(tmp_path: Path) -> None:
    folder = Path("data/formats/collections")
    full = collection_coverage(folder / "npl/doc-text", folder / "time/TIME.REL")
    assert str(full).endswith("The collection has all judged documents.")
    part = tmp_path / "doc-text"
    part.write_text("".join(f"{n}\ntext\n   /\n" for n in range(1, 5)))
    printed = str(collection_coverage(part, folder / "time/TIME.REL"))
    assert "1 judged document is not in the collection: '6'. They are 2 of 7 relevant judgments." in printed
    assert "0.5000" in printed
    assert "0.6667" in printed
    assert full.summary()["n_judged"].to_list() == [5]


def test_tables_that_do_not_fit_are_refused() -> None:
    qrels = pl.DataFrame({"query_id": ["q"], "doc_id": ["007"], "relevance": [1]})
    with pytest.raises(NothingInCommon, match=r"none of the judged documents(.|\n)*zeros in front"):
        collection_coverage(pl.DataFrame({"doc_id": ["7"]}), qrels)
    with pytest.raises(MismatchedTables, match="Int64"):
        collection_coverage(pl.DataFrame({"doc_id": [7]}), qrels)
    with pytest.raises(InvalidValue, match="'doc_id' of the docs table is null in 1 row"):
        collection_coverage(pl.DataFrame({"doc_id": ["007", None]}), qrels)
    with pytest.raises(MissingColumn, match="no column 'doc_id'"):
        collection_coverage(pl.DataFrame({"name": ["007"]}), qrels)
    own = collection_coverage(pl.DataFrame({"name": ["007"]}), qrels, columns={"docs": {"doc_id": "name"}})
    assert own.summary()["coverage"].to_list() == [1.0]
