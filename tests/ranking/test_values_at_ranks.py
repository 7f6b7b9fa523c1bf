"""`ranks`: the values of measures at every rank, and the gains and discounts that they sum."""

from __future__ import annotations

import math
from collections.abc import Callable

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.errors import InvalidParameter, NotDefined
from ireval_frames.parameters import REQUIRED, whole

engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])
QRELS = pl.DataFrame(
    {
        "query_id": ["a", "a", "a", "a", "b", "b"],
        "doc_id": ["d1", "d2", "d3", "d9", "d1", "d4"],
        "relevance": [2, 0, 1, 3, 1, -1],
        "subtopic_id": ["s", "s", "t", "t", "s", "s"],
    }
)
RUNS = pl.DataFrame(
    {
        "run_id": ["x"] * 6 + ["y"] * 2,
        "query_id": ["a", "a", "a", "a", "b", "b", "a", "b"],
        "doc_id": ["d2", "d1", "d7", "d3", "d4", "d1", "d9", "d8"],
        "score": [4.0, 3.0, 2.0, 1.0, 2.0, 1.0, 1.0, 1.0],
    }
)
PLAIN = QRELS.drop("subtopic_id")


@engines
def test_values_are_those_at_the_cutoff(engine: str) -> None:
    """Of every measure that has a cutoff, and needs no further columns, click model or parameter."""
    names = [
        d.name
        for d in catalog.definitions()
        if d.family == "ranking" and "cutoff" in d.parameters and {*d.reads} <= {"subtopic_id"}
        if not any(p.default is REQUIRED for name, p in d.parameters.items() if name != "cutoff")
    ]
    assert len(names) > 25
    ranks = ir.evaluate(QRELS, RUNS, [f"{name}@3" for name in names], engine=engine).ranks(4)
    assert ranks["measure"].unique(maintain_order=True).to_list() == names
    at_cutoffs = ir.evaluate(QRELS, RUNS, [f"{name}@{k}" for name in names for k in range(1, 5)], engine=engine)
    expected = {(r, q, *m.split("@")): v for r, q, m, v in at_cutoffs.per_unit().rows()}
    found = {
        (r["run_id"], r["query_id"], r["measure"], str(r["rank"])): r["value"] for r in ranks.iter_rows(named=True)
    }
    # 4 + 2 + 1 + 1 documents.
    assert len(found) == 8 * len(names)
    assert found == pytest.approx({key: expected[key] for key in found}, abs=1e-12)


@engines
def test_terms_of_a_sum(engine: str) -> None:
    forms: dict[str, tuple[Callable[[float], float], Callable[[int], float]]] = {
        "DCG": (lambda g: g, lambda i: 1 / math.log2(i + 1)),
        "DCG(dcg='exp-jk')": (lambda g: 2**g - 1, lambda i: 1 / max(1, math.log2(i))),
        "CG": (lambda g: g, lambda _: 1.0),
        "RBP(p=0.5,rel=2)": (lambda g: float(g >= 2), lambda i: 0.5 ** (i - 1)),
    }
    ranks = ir.evaluate(PLAIN, RUNS, list(forms), engine=engine).ranks()
    assert ranks.filter(run_id="x", query_id="a", measure="CG").select("rank", "doc_id", "relevance").rows() == [
        (1, "d2", 0), (2, "d1", 2), (3, "d7", None), (4, "d3", 1)
    ]  # fmt: skip
    for name, (gain, discount) in forms.items():
        total = 0.0
        for row in ranks.filter(run_id="x", query_id="a", measure=name).iter_rows(named=True):
            grade = max(row["relevance"] or 0, 0)
            terms = gain(grade), discount(row["rank"]), gain(grade) * discount(row["rank"])
            total += terms[2]
            assert (row["gain"], row["discount"], row["discounted_gain"]) == pytest.approx(terms, abs=1e-12)
            assert row["value"] == pytest.approx(total * (0.5 if name.startswith("RBP") else 1), abs=1e-12)


@engines
def test_what_is_no_sum_over_ranks_has_no_terms(engine: str) -> None:
    ev = ir.evaluate(QRELS, RUNS, "AP ERR Success@1 DCG(subtopics='mean')", engine=engine)
    ranks = ev.ranks(2)
    assert ranks.select("gain", "discount", "discounted_gain").null_count().row(0) == (ranks.height,) * 3
    assert ranks["value"].null_count() == 0


@engines
def test_wide(engine: str) -> None:
    ev = ir.evaluate(PLAIN, RUNS, "P@2 nDCG(dcg='jk')@3 P@1", engine=engine)
    wide, ranks = ev.ranks(wide=True), ev.ranks()
    assert wide.columns == ["run_id", "query_id", "rank", "doc_id", "relevance", "P", "nDCG(dcg='jk')"]
    assert wide["rank"].max() == 3
    for name in wide.columns[5:]:
        assert wide[name].to_list() == ranks.filter(measure=name)["value"].to_list()


@engines
def test_condensed_lists_have_their_own_ranks(engine: str) -> None:
    rows = ir.evaluate(PLAIN, RUNS, "P(judged_only=True)@3", engine=engine).ranks().filter(run_id="x", query_id="a")
    assert rows.select("rank", "doc_id", "value").rows() == [(1, "d2", 0.0), (2, "d1", 0.5), (3, "d3", 2 / 3)]
    with pytest.raises(NotDefined, match="P and P\\(judged_only=True\\) rank different documents"):
        ir.evaluate(PLAIN, RUNS, "P@3 P(judged_only=True)@3", engine=engine).ranks(wide=True)


@engines
def test_groups_keep_their_names(engine: str) -> None:
    topics = pl.DataFrame({"query_id": ["a", "b"], "lang": ["en", "fr"]})
    ev = ir.evaluate(PLAIN, RUNS, "P@1", queries=topics, by="lang", engine=engine)
    assert ev.ranks().select("run_id", "lang", "query_id", "rank").rows() == [
        ("x", "en", "a", 1), ("x", "fr", "b", 1), ("y", "en", "a", 1), ("y", "fr", "b", 1)
    ]  # fmt: skip
    by_run = RUNS.with_columns(day=pl.lit("monday"))
    ev = ir.evaluate(PLAIN, by_run, "P@1", by="day", policy="missing=skip", engine=engine)
    assert ev.ranks().columns[:3] == ["run_id", "day", "query_id"]


def test_other_forms() -> None:
    ev = ir.evaluate(PLAIN, RUNS, "DCG@2", engine="duckdb")
    assert "ORDER BY" in ev.ranks.sql()
    assert ev.ranks.to_native().fetchall()
    lazy = ir.evaluate(PLAIN.lazy(), RUNS.lazy(), "DCG@2").ranks.to_native()
    assert isinstance(lazy, pl.LazyFrame)
    assert lazy.collect().sort("run_id", "query_id", "rank").equals(ev.ranks())


def test_judgments_of_retrieved_documents_alone() -> None:
    """They have no ideal order, so nDCG is refused here, too."""
    qrels = PLAIN.with_columns(retrieved_only=True)
    assert ir.evaluate(qrels, RUNS, "P@2").ranks().height
    with pytest.raises(NotDefined, match="best order, is unknown"):
        ir.evaluate(qrels, RUNS, "nDCG@2").ranks()


def test_measures_of_ones_own() -> None:
    def half(q, cutoff):  # type: ignore[no-untyped-def]
        """Grades, halved at every rank."""
        return q.discounted_sum(q.grade, lambda rank: rank * 2.0, cutoff)

    with catalog.restored():
        own = ir.measure("ranking", "HalfG", parameters={"cutoff": whole(None, "the top k")}, relevant=None)(half)
        rows = ir.evaluate(PLAIN, RUNS, own @ 2).ranks().filter(run_id="x", query_id="a")
        assert rows.select("measure", "gain", "discount", "value").rows() == [
            ("HalfG", 0.0, 0.5, 0.0), ("HalfG", 2.0, 0.25, 0.5)
        ]  # fmt: skip


def test_errors() -> None:
    ev = ir.evaluate(PLAIN, RUNS, "AP Rprec Bpref")
    with pytest.raises(NotDefined, match="Rprec, Bpref have no cutoff"):
        ev.ranks()
    ap = ir.evaluate(PLAIN, RUNS, "AP")
    for depth in (0, True, 1001, 2.5):
        with pytest.raises(InvalidParameter, match="a whole number from 1 to 1,000"):
            ap.ranks(depth)  # type: ignore[arg-type]
    topics = pl.DataFrame({"query_id": ["a", "b"], "gain": ["en", "fr"]})
    with pytest.raises(InvalidParameter, match="by='gain' is a column of the result already"):
        ir.evaluate(PLAIN, RUNS, "AP", queries=topics, by="gain").ranks()
    with pytest.raises(NotDefined, match="tie"):
        ir.evaluate(PLAIN, RUNS, "AP", policy="ties=expectation").ranks()


def test_points_of_curves() -> None:
    points = pl.DataFrame({"q": ["b", "a", "a"], "P": [0.5, 1.0, 0.25], "R": [1.0, 0.1 + 0.2, 1.0]})
    curves = ir.ranking.interpolated_precision(points.lazy(), [0.3, 1.0], precision="P", recall="R", by="q")
    assert curves.rows() == [("a", 0.3, 1.0), ("a", 1.0, 0.25), ("b", 0.3, 0.5), ("b", 1.0, 0.5)]
    whole = ir.ranking.interpolated_precision(points, precision="P", recall="R")
    assert whole["precision"].to_list() == [1.0] * 4 + [0.5] * 7


@pytest.mark.parametrize(
    "values, options, error, message",
    [
        ([0.5], {"recalls": [2]}, InvalidParameter, "recalls is \\[2\\]"),
        ([0.5], {"by": "recall"}, InvalidParameter, "a column of the result already"),
        ([0.5], {"precision": "P"}, ir.errors.MissingColumn, "no column P"),
        ([50.0], {}, ir.errors.InvalidValue, "holds 50.0"),
        ([None], {}, ir.errors.InvalidValue, "holds None"),
        ([float("nan")], {}, ir.errors.InvalidValue, "holds nan"),
        ([], {}, ir.errors.InvalidValue, "is empty"),
        (["half"], {}, ir.errors.WrongType, "is String"),
    ],
)
def test_points_that_are_refused(values: list, options: dict, error: type[Exception], message: str) -> None:
    numbers = [v if isinstance(v, str) else None if v is None else float(v) for v in values]
    dtype = pl.String if "half" in values else pl.Float64
    points = pl.DataFrame({"recall": [1.0] * len(values), "precision": pl.Series(numbers, dtype=dtype)})
    with pytest.raises(error, match=message):
        ir.ranking.interpolated_precision(points, **options)
