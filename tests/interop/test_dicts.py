"""Dictionaries, compared with plain loops and with pytrec_eval."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ireval_frames as ir
from ireval_frames.errors import DuplicateRows, InvalidValue, MissingColumn, NotDefined, UnknownName, WrongType
from tests.interop.cases import make_case, rows

NESTED = st.dictionaries(
    st.text(max_size=3), st.dictionaries(st.text(max_size=3), st.floats(-5, 5), max_size=4), max_size=4
)


def by_loop(frame, number):
    """The dictionary, row by row."""
    out = defaultdict(dict)
    for query, document, value in frame.select("query_id", "doc_id", number).rows():
        out[query][document] = value
    return dict(out)


@pytest.mark.external
def test_pytrec_eval_gives_the_same_values() -> None:
    import pytrec_eval

    qrels, run = make_case()
    nested = ir.interop.dicts.to_qrels(qrels), ir.interop.dicts.to_run(run)
    assert nested == (by_loop(qrels, "relevance"), by_loop(run, "score"))
    reference = pytrec_eval.RelevanceEvaluator(nested[0], {"map"}).evaluate(nested[1])
    ours = ir.evaluate(ir.interop.dicts.from_qrels(nested[0]), ir.interop.dicts.from_run(nested[1]), "AP")
    actual = {q: v for q, v in ours.per_unit().select("query_id", "value").rows() if q in reference}
    assert actual == pytest.approx({q: values["map"] for q, values in reference.items()}, abs=1e-12)
    assert actual.keys() == reference.keys()


@settings(max_examples=20, deadline=None)
@given(NESTED)
def test_there_and_back(nested) -> None:
    frame = ir.interop.dicts.from_run(nested)
    assert rows(frame) == {(q, d, s) for q, inner in nested.items() for d, s in inner.items()}
    assert frame.schema == {"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64}
    assert ir.interop.dicts.to_run(frame) == {q: inner for q, inner in nested.items() if inner}


def test_types() -> None:
    read = ir.interop.dicts.from_qrels
    assert read({1: {7: 1, 8: 0}}).schema == {"query_id": pl.Int64, "doc_id": pl.Int64, "relevance": pl.Int64}
    assert read({"q": {"a": 1, "b": 0.5}})["relevance"].to_list() == [1.0, 0.5]
    assert read({}).height == 0
    numpy = read({np.int64(1): {np.str_("a"): np.int32(2)}})
    assert (numpy.rows(), numpy["doc_id"].dtype) == ([(1, "a", 2)], pl.String)
    assert ir.interop.dicts.from_run({"q": {"a": np.float32(0.5)}})["score"].to_list() == [0.5]
    floats = pl.DataFrame({"qid": [1], "docno": [7], "label": [2.0]})
    assert repr(ir.interop.dicts.to_qrels(floats)) == "{'1': {'7': 2}}"
    ranks = pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "rank": [2, 1]})
    assert list(ir.interop.dicts.to_run(ranks)["q"]) == ["b", "a"]


def test_best_first_as_measures_rank() -> None:
    tied = pl.DataFrame({"query_id": ["q"] * 3, "doc_id": ["a", "c", "b"], "score": [1.0, 1.0, 2.0]})
    assert list(ir.interop.dicts.to_run(tied)["q"]) == ["b", "c", "a"]


def test_one_of_several_runs(tmp_path) -> None:
    run = pl.DataFrame({"run_id": ["x", "y"], "query_id": ["q"] * 2, "doc_id": ["a"] * 2, "score": [1.0, 2.0]})
    path = tmp_path / "runs.parquet"
    run.write_parquet(path)
    for table in (run, run.lazy(), run.to_arrow(), run.to_pandas(), path):
        assert ir.interop.dicts.to_run(table, run_id="y") == {"q": {"a": 2.0}}
    with pytest.raises(NotDefined, match=r"2 runs \(x, y\)[\s\S]*run_id=\"x\""):
        ir.interop.dicts.to_run(run)
    with pytest.raises(UnknownName, match="no run 'z'"):
        ir.interop.dicts.to_run(run, run_id="z")


@pytest.mark.parametrize(
    "nested, error, message",
    [
        ([("q", {})], WrongType, "of type list"),
        ({"q": ["a"]}, WrongType, "query 'q' in run is of type list"),
        ({"q": {"a": "1.5"}}, InvalidValue, "'q' and document 'a' in run is '1.5'"),
        ({"q": {"a": None}}, InvalidValue, "it must be a number"),
        ({"q": {"a": 1.0, 2: 1.0}}, WrongType, "types int, str for doc_id"),
    ],
)
def test_invalid_dictionaries(nested, error, message) -> None:
    with pytest.raises(error, match=message):
        ir.interop.dicts.from_run(nested)


@pytest.mark.parametrize(
    "columns, error, message",
    [
        ({"score": [1.0, 2.0], "doc_id": ["a", "a"]}, DuplicateRows, "'a' of query 'q' more than once"),
        ({"score": [1.0, None], "doc_id": ["a", "b"]}, InvalidValue, "1 rows of the run table have no finite score"),
        ({"score": [1.0, float("nan")], "doc_id": ["a", "b"]}, InvalidValue, "document 'b'"),
        ({"score": [1.0, 2.0], "doc_id": ["a", None]}, InvalidValue, "have no doc_id"),
        ({"doc_id": ["a", "b"]}, MissingColumn, "'score'"),
    ],
)
def test_invalid_tables(columns, error, message) -> None:
    frame = pl.DataFrame({"query_id": ["q", "q"], **columns})
    with pytest.raises(error, match=message):
        ir.interop.dicts.to_run(frame)


def test_judgments_by_subtopic() -> None:
    with pytest.raises(NotDefined, match="subtopic_id"):
        ir.interop.dicts.to_qrels(ir.examples.diversity()[0])


def test_the_error_of_a_dictionary_names_the_function() -> None:
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 2.0}}
    with pytest.raises(WrongType, match=r"ir\.interop\.dicts\.from_qrels\(qrels\)"):
        ir.evaluate(qrels, run, "AP")
    with pytest.raises(WrongType, match=r"ir\.interop\.dicts\.from_run\(run\)"):
        ir.evaluate(ir.interop.dicts.from_qrels(qrels), run, "AP")
    with pytest.raises(WrongType, match=r"pl\.DataFrame\(run\)"):
        ir.evaluate(ir.interop.dicts.from_qrels(qrels), {"query_id": ["q"], "doc_id": ["a"], "score": [1]}, "AP")
