"""PyTerrier's frames by its documented columns: it needs Java, and is not installed here."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import MissingColumn
from tests.interop.cases import make_case


def test_results_are_evaluated_as_they_are() -> None:
    qrels, run = make_case()
    queries = pl.DataFrame({"query_id": run["query_id"].unique()}).with_columns(text="about " + pl.col("query_id"))
    results = ir.interop.pyterrier.to_results(run, queries=queries)
    assert list(results.columns) == ["qid", "docno", "score", "rank", "query"]
    assert results.groupby("qid")["rank"].agg(["min", "nunique", "max"]).eval("min == 0 and nunique == max + 1").all()
    assert results.iloc[0]["query"] == "about 00"
    # Terrier's own results have its internal numbers of documents, too, which are no ids.
    results.insert(1, "docid", range(len(results)))
    judgments = ir.interop.pyterrier.to_qrels(qrels)
    reference, ours = (ir.evaluate(*tables, "AP RR").per_unit() for tables in ((judgments, results), (qrels, run)))
    assert reference.drop("value").equals(ours.drop("value"))
    assert reference["value"].to_list() == pytest.approx(ours["value"].to_list(), abs=1e-12)


def test_topics_and_values() -> None:
    topics = ir.interop.pyterrier.to_topics(pd.DataFrame({"qid": [7], "query": ["two words"]}))
    assert topics.to_dict("records") == [{"qid": "7", "query": "two words"}]
    with pytest.raises(MissingColumn, match="title"):
        ir.interop.pyterrier.to_topics(pl.DataFrame({"qid": ["7"], "title": ["two words"]}))
    values = pd.DataFrame(
        [("a", "1", "AP", 0.5), ("a", "2", "AP", 0.25), ("b", "1", "AP", 1), ("b", "2", "AP", 0.5)],
        columns=["name", "qid", "measure", "value"],
    )
    compared = ir.compare(ir.interop.pyterrier.from_values(values), baseline="a").table()
    assert compared.select("system", "n", "difference").rows() == [("b", 2, 0.375)]
    with pytest.raises(MissingColumn, match=r"'qid'[\s\S]*perquery=True"):
        ir.interop.pyterrier.from_values(values.drop(columns="qid"))
