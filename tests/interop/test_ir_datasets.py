"""ir_datasets' and ir_measures' own classes; nothing is downloaded."""

from __future__ import annotations

import ir_measures
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import MissingColumn, WrongType
from tests.interop.cases import make_case, rows

ir_datasets = pytest.importorskip("ir_datasets", reason="ir_datasets is not installed")
formats = pytest.importorskip("ir_datasets.formats")
QUERIES = pl.DataFrame({"qid": ["00", "01"], "query": ["two words", "ü"]})


def test_there_and_back() -> None:
    qrels, run = make_case()
    dataset = ir.interop.ir_datasets.to_dataset(qrels, run, QUERIES)
    assert isinstance(dataset, ir_datasets.Dataset)
    assert (dataset.has_qrels(), dataset.has_scoreddocs(), dataset.has_queries(), dataset.has_docs()) == (
        True, True, True, False,
    )  # fmt: skip
    assert dataset.qrels_count() == qrels.height
    assert rows(ir.interop.ir_datasets.from_qrels(dataset).collect()) == rows(qrels)
    assert rows(ir.interop.ir_datasets.from_run(dataset).collect()) == rows(run)
    assert ir.interop.ir_datasets.from_queries(dataset).collect().rows() == QUERIES.rows()
    assert dataset.qrels.asdict() == ir.interop.dicts.to_qrels(qrels)


def test_ir_measures_reads_the_dataset() -> None:
    qrels, run = make_case(1)
    dataset = ir.interop.ir_datasets.to_dataset(qrels, run)
    values = ir_measures.iter_calc([ir_measures.AP], dataset.qrels_iter(), dataset.scoreddocs_iter())
    reference = ir.interop.ir_datasets.from_values(values, run_id="a").sort("query_id")
    ours = ir.evaluate(qrels, run, "AP").per_unit()
    assert reference["query_id"].to_list() == ours["query_id"].to_list()
    assert reference["value"].to_list() == pytest.approx(ours["value"].to_list(), abs=1e-12)


def test_tuples() -> None:
    read = ir.interop.ir_datasets.from_qrels
    assert read([formats.TrecSubQrel("q", "a", 1, "s")]).collect().columns == [
        "query_id",
        "doc_id",
        "relevance",
        "subtopic_id",
    ]
    assert read(iter([ir_measures.Qrel("q", "a", 1, "7")]), second="iteration").collect().row(0) == ("q", "a", 1, "7")
    with pytest.raises(MissingColumn, match="no field relevance"):
        read([ir_measures.ScoredDoc("q", "a", 1.0)])
    with pytest.raises(WrongType, match="neither a dataset nor"):
        read([("q", "a", 1)])
    with pytest.raises(MissingColumn, match="has no qrels"):
        read(ir.interop.ir_datasets.to_dataset(run=make_case()[1]))
