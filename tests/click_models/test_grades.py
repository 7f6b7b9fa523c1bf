"""Click models by grade: the log with its documents replaced by their grades, counted by loops."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.clicks import models
from ireval_frames.errors import InvalidValue, MismatchedTables, MissingColumn, NotDefined

ENGINES = ("polars", "duckdb")
DRAW = random.Random(4)
# Query 3 is not judged; d of query 1 and a pooled document are grade 0.
GRADES = {(1, "a"): 2, (1, "b"): 1, (1, "c"): 0, (2, "a"): 1, (2, "b"): 2, (2, "c"): -1}
PAGES = [
    (s, DRAW.choice((1, 1, 2, 2, 3)), DRAW.sample("abcd", DRAW.randint(1, 4)), [DRAW.random() < 0.4 for _ in "abcd"])
    for s in range(120)
]
ROWS = pl.DataFrame(
    [
        {"serp_id": s, "query_id": q, "doc_id": d, "position": r, "click": int(c[r - 1]), "site": "xy"[s % 2]}
        for s, q, docs, c in PAGES
        for r, d in enumerate(docs, 1)
    ]
)
QRELS = pl.DataFrame(
    [(q, d, g) for (q, d), g in GRADES.items()], schema=["query_id", "doc_id", "relevance"], orient="row"
)
GRADED = ROWS.join(QRELS.select("query_id").unique(), on="query_id").join(QRELS, on=["query_id", "doc_id"], how="left")
GRADED = GRADED.with_columns(grade=pl.col("relevance").fill_null(0).clip(0).cast(pl.Float64)).drop("relevance")


def counted(prior: float = 1.0) -> dict[tuple[str, float], float]:
    """SDBN by grade, by a loop over pages."""
    clicks, seen, ends = Counter[float](), Counter[float](), Counter[float]()
    for _, query, docs, clicked in PAGES:
        if query == 3:
            continue
        places = [r for r in range(len(docs)) if clicked[r]]
        last = places[-1] if places else len(docs) - 1
        for r, doc in enumerate(docs):
            grade = float(max(GRADES.get((query, doc), 0), 0))
            if r <= last:
                seen[grade] += 1
            if clicked[r]:
                clicks[grade] += 1
                ends[grade] += r == places[-1]
    out = {("attraction", g): (clicks[g] + prior) / (seen[g] + 2 * prior) for g in seen}
    return out | {("satisfaction", g): (ends[g] + prior) / (clicks[g] + 2 * prior) for g in seen}


@pytest.mark.parametrize("engine", ENGINES)
def test_counts_of_grades(engine: str) -> None:
    log = ir.Impressions(ROWS, engine=engine)
    small = QRELS.with_columns(pl.col("query_id").cast(pl.Int32))
    for judged in (QRELS, small, pl.concat([QRELS, QRELS.with_columns(relevance=pl.lit(0, dtype=pl.Int64))])):
        actual = log.graded(judged).fit("SDBN").parameters()
        values = {(r["parameter"], r["grade"]): r["value"] for r in actual.iter_rows(named=True)}
        assert values == pytest.approx(counted(), rel=1e-12)
    own = ir.Impressions(GRADED, engine=engine).graded().fit("SDBN").parameters()
    assert own.equals(actual)


@pytest.mark.parametrize("name", ["DCM", "PBM", "UBM", "DBN", "DCTR"])
def test_every_model_takes_grades_for_documents(name: str, tmp_path: Path) -> None:
    """As a log in which the grades were the documents of one query; kept, read, and predicting."""
    log = ir.Impressions(ROWS, by="site").graded(QRELS)
    plain = ir.Impressions(
        GRADED.with_columns(doc_id=pl.col("grade").cast(pl.Int64), query_id=pl.lit(0)).drop("grade"), by="site"
    )
    model, expected = log.fit(name, iterations=5, tolerance=0), plain.fit(name, iterations=5, tolerance=0)
    assert model.parameters()["value"].equals(expected.parameters()["value"])
    assert model.relevance().columns == ["site", "grade", "relevance", "n", "low", "high", "status"]
    assert model.evaluate(log).equals(expected.evaluate(plain))
    assert model.per_page(log)["value"].equals(expected.per_page(plain)["value"])
    model.save(tmp_path / "model.parquet")
    assert models.load(tmp_path / "model.parquet").parameters().equals(model.parameters())
    assert "by site, grade" in model.explain()
    one = ir.Impressions(ROWS).graded(QRELS).fit(name, iterations=5, tolerance=0)
    result = models.of_parameters(name, one.parameters())
    assert result.parameters()["value"].equals(one.parameters()["value"])
    assert result.graded


def test_measures_of_documents_that_were_never_shown() -> None:
    """New documents of known grades, and what the measures make of them by a loop."""
    model = ir.Impressions(ROWS).graded(QRELS).fit("SDBN")
    judged = pl.DataFrame({"query_id": [9, 9, 9], "doc_id": ["n", "o", "p"], "relevance": [2, 0, 1]})
    run = pl.DataFrame({"query_id": [9] * 4, "doc_id": list("ponx"), "score": [4.0, 3.0, 2.0, 1.0]})
    values, looks, expected = counted(), 1.0, 0.0
    for grade in (1.0, 0.0, 2.0, 0.0):
        a, s = values["attraction", grade], values["satisfaction", grade]
        expected += looks * a * (2**grade - 1) / 16
        looks *= 1.0 - a * s
    for engine, source in itertools.product(ENGINES, (model, model.parameters())):
        actual = ir.evaluate(judged, run, "uSDBN Seen", click_model=source, engine=engine).summary()["value"]
        assert actual.to_list() == pytest.approx([expected, 1.0], rel=1e-12)


def test_what_is_refused() -> None:
    log = ir.Impressions(ROWS)
    by_grade, by_document = log.graded(QRELS).fit("SDBN"), log.fit("SDBN")
    refused: list[tuple[Any, type[Exception], str]] = [
        (by_grade.judgments, NotDefined, "no judgments of documents"),
        (by_grade.run, NotDefined, "no run of documents"),
        (lambda: by_grade.evaluate(log), MismatchedTables, r"log.graded\(qrels\)"),
        (lambda: by_document.evaluate(log.graded(QRELS)), MismatchedTables, "by document, and the log is not"),
        (lambda: by_grade.simulate(ROWS), MismatchedTables, "log.graded"),
        (lambda: log.graded().fit("SDBN"), MissingColumn, "no column 'grade'"),
        (lambda: log.graded(QRELS.with_columns(relevance=float("nan"))).fit("SDBN"), InvalidValue, "no finite"),
        (lambda: log.graded(QRELS.filter(pl.col("query_id") > 5)).fit("SDBN"), InvalidValue, "no results"),
    ]
    for call, error, message in refused:
        with pytest.raises(error, match=message):
            call()
