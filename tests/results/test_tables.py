"""Tables of the plan are the same as frames, in the engine, as SQL, and on either engine."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.errors import InvalidParameter, NotDefined
from ireval_frames.labels.scores.curves import KINDS

FRAME = pl.DataFrame(
    {
        "part": [*"uuuuvvvv"],
        "label": ["a", "a", "b", 'say "b"', "a", "b", "b", "it's"],
        "prediction": ["a", "b", "b", "a", "a", "a", "b", "it's"],
        "cluster_id": [1, 1, 2, 2, 1, 1, 2, 3],
        "weight": [1.0, 2.0, 1.0, 0.5, 1.0, 1.0, 1.0, 3.0],
    }
)
SCORES = pl.DataFrame(
    {
        "part": [*"uuuuuvvvvv"],
        "label": ["yes", "no", "yes", "no", "no", "yes", "yes", "no", "no", "yes"],
        "score": [0.9, 0.8, 0.8, 0.3, 0.1, 0.5, 0.5, 0.5, 0.2, 0.0],
        "weight": [1.0, 2.0, 1.0, 0.5, 1.0, 1.0, 1.0, 3.0, 1.0, 0.25],
    }
)
POINTS = pl.DataFrame(
    {
        "item_id": [*range(9)],
        "part": [*"uuuuuuvvv"],
        "x": [0.0, 1.0, 0.5, 5.0, 6.0, 5.5, 1.0, 9.0, 8.0],
        "y": [0.5, 0.0, 1.0, 5.0, 5.0, 7.0, 1.0, 2.0, 2.5],
        "cluster_id": [1, 1, 1, 2, 2, 3, 1, 2, 2],
    }
)
QRELS, RUN = ir.examples.ranking()


def labels(engine: str) -> Any:
    return ir.Labels(FRAME, by="part", engine=engine)


def clusters(engine: str) -> Any:
    return ir.Clusters(FRAME, by="part", engine=engine)


def scores(engine: str) -> Any:
    return ir.Labels(SCORES, by="part", positive="yes", engine=engine)


def points(engine: str) -> Any:
    return ir.Points(POINTS, ["x", "y"], by="part", engine=engine)


def log(engine: str) -> Any:
    return ir.Impressions(ir.examples.click_log(), engine=engine)


def rankings(engine: str) -> Any:
    return ir.Rankings(QRELS, RUN, engine=engine)


USER_TABLES: dict[str, tuple[str, Callable[[str], Any], dict[str, Any]]] = {
    "confusion": ("labels", lambda engine: labels(engine).confusion, {}),
    "shares of labels": ("labels", lambda engine: labels(engine).confusion, {"normalize": "label"}),
    "contingency": ("clusters", lambda engine: clusters(engine).contingency, {}),
    "shares of all": ("clusters", lambda engine: clusters(engine).contingency, {"normalize": "all"}),
    "per class": ("labels", lambda engine: labels(engine).evaluate("F1(average='macro')").per_class, {}),
    "summary": ("labels", lambda engine: labels(engine).evaluate("MCC Accuracy").summary, {}),
    "report": ("labels", lambda engine: labels(engine).report, {}),
    "report under a policy": ("labels", lambda engine: labels(engine).report, {"policy": "undefined=0", "by": ()}),
    "classes without a value": (
        "labels",
        lambda engine: labels(engine).evaluate("F1(average='macro') Precision(average='macro')").undefined,
        {},
    ),
    **{f"{kind} curve": ("scores", lambda engine: scores(engine).curve, {"kind": kind}) for kind in KINDS},
    "corners": ("scores", lambda engine: scores(engine).curve, {"corners": True}),
    "corners of all": ("scores", lambda engine: scores(engine).curve, {"corners": True, "by": ()}),
    "wide": ("clusters", lambda engine: clusters(engine).evaluate("Purity BCubedP").wide, {}),
    "interpolated": ("rankings", lambda engine: rankings(engine).curve, {}),
    "interpolated units": ("rankings", lambda engine: rankings(engine).curve, {"per_unit": True, "recalls": [0.2, 1]}),
    "precision-recall": ("rankings", lambda engine: rankings(engine).curve, {"kind": "precision-recall"}),
    "strings": ("rankings", lambda engine: rankings(engine).relevance_strings, {"length": 20}),
    "silhouettes": ("points", lambda engine: points(engine).silhouettes, {}),
    "similarities": ("points", lambda engine: points(engine).similarities, {"metric": "cosine"}),
    "rates": ("log", lambda engine: log(engine).rates, {"by": ["query_id", "doc_id"], "shrinkage": 1.0}),
    "counts": ("log", lambda engine: log(engine).counts, {"measures": "CTR NumPages PSkip", "by": "user_id"}),
    "wide units": ("clusters", lambda engine: clusters(engine).evaluate("Purity BCubedP").per_unit, {"wide": True}),
}


TABLES = {
    "labels": {"labels": FRAME},
    "scores": {"labels": SCORES},
    "clusters": {"clusters": FRAME},
    "points": {"points": POINTS},
    "rankings": {"qrels": QRELS, "run": RUN},
    "log": {"impressions": ir.examples.click_log()},
}
PYTHON = ("silhouettes", "similarities", "strings")


@functools.cache
def database() -> duckdb.DuckDBPyConnection:
    """One that stays empty."""
    return duckdb.connect()


@pytest.mark.parametrize("name", USER_TABLES)
def test_a_table_in_all_its_ways(name: str) -> None:
    table, of, options = USER_TABLES[name]
    tables = of("polars")
    frame = tables(**options)
    assert_frame_equal(of("duckdb")(**options), frame, check_exact=False, abs_tol=1e-12)
    with database().cursor() as con:
        for stored, rows in TABLES[table].items():
            con.register(stored, rows.to_arrow())
        if name in PYTHON:
            with pytest.raises(NotDefined, match="step in Python"):
                tables.sql(**options)
        else:
            text = con.sql(tables.sql(**options)).pl()
            assert_frame_equal(text, frame, check_exact=False, abs_tol=1e-12, check_row_order=name != "per class")
    native = tables.to_native(**options).collect()
    assert_frame_equal(native, frame, check_exact=False, abs_tol=1e-12, check_row_order=False)
    relation = of("duckdb").to_native(**options)
    assert isinstance(relation, duckdb.DuckDBPyRelation)
    assert_frame_equal(relation.pl(), frame, check_exact=False, abs_tol=1e-12, check_row_order=False)
    assert tables.explain(**options).startswith("engine: polars\n\ntables\n  ")
    assert tables.result(**options).provenance["family"] in ("labels", "clusters", "points", "ranking", "clicks")


def test_shares_are_of_what_is_named() -> None:
    actual = labels("polars").confusion(normalize="label").group_by("part", "label").agg(pl.col("share").sum())
    assert actual["share"].to_list() == pytest.approx([1.0] * 6)
    with pytest.raises(InvalidParameter, match="normalize is 'row'; allowed: None, 'label', 'prediction', 'all'"):
        labels("polars").confusion(normalize="row")


def test_the_marked_method_keeps_its_page() -> None:
    assert "confusion table" in str(ir.Labels.confusion.__doc__)
    assert "row per unit and measure" in str(ir.Evaluation.per_unit.__doc__)


def test_steps_in_python_have_no_text() -> None:
    evaluation = ir.Clusters(FRAME).evaluate("ClusteringAccuracy")
    with pytest.raises(NotDefined, match="step in Python"):
        evaluation.summary.sql()
    assert "through Python" in evaluation.explain()
    assert "steps in Python\n  ClusteringAccuracy: an optimal assignment" in evaluation.explain()
    assert "steps in Python" not in ir.Clusters(FRAME).evaluate("Purity").explain()


def test_engines_that_run_no_python() -> None:
    class Elsewhere(PolarsEngine):
        runs_python = False

    subject = ir.Clusters(FRAME, engine=Elsewhere())
    assert subject.evaluate("Purity").summary().height == 1
    with pytest.raises(NotDefined, match=r"ClusteringAccuracy has a step in Python \(an optimal .*polars does not run"):
        subject.evaluate("Purity ClusteringAccuracy")


def test_explaining_runs_no_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither explain() nor sql() computes; on DuckDB to_native() must, since a relation cannot hold such a step."""
    from ireval_frames.clusters import matching

    called: list[int] = []

    def counted(*of: Any) -> Any:
        step = original(*of)
        return lambda rows: called.append(1) or step(rows)

    original = matching.assignment_step
    monkeypatch.setattr(matching, "assignment_step", counted)
    evaluation = ir.Clusters(FRAME, engine="duckdb").evaluate("ClusteringAccuracy")
    evaluation.explain()
    assert called == []
    evaluation.summary()
    assert called == [1]
