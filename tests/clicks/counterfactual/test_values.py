"""The values are those of plain loops, on both engines, by page and by user, by query, by group, and with weights."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from tests.clicks.counterfactual.cases import log_of, make_case, positions_of, run_of
from tests.clicks.counterfactual.oracle import Case, estimate

ESTIMATORS = ("naive", "IPS", "clipped", "SNIPS", "policy_aware", "affine", "DM", "DR")
ASKED = " ".join("clipped(tau=0.3)" if e == "clipped" else e for e in ESTIMATORS)
MEASURES: dict[str, Callable[[int], float]] = {
    "DCG@3": lambda i: 1 / math.log2(i + 1) if i <= 3 else 0.0,
    "DCG(dcg='jk', base=3)": lambda i: 1 / math.log(i, 3) if i >= 3 else 1.0,
    "P@2": lambda i: 0.5 if i <= 2 else 0.0,
    "RR": lambda i: 1 / i,
    "RBP(p=0.5)@4": lambda i: 0.5 * 0.5 ** (i - 1) if i <= 4 else 0.0,
    "CG@2": lambda i: float(i <= 2),
}


def held(actual: pl.DataFrame, of: Case, keys: tuple[str, ...], *, user: bool) -> None:
    """Every row is that of the loops over the rows of the log that belong to it."""
    log = log_of(of)
    kinds = {str(ir.Measure.parse(m)): f for m, f in MEASURES.items()}
    for row in actual.iter_rows(named=True):
        mine = pl.lit(value=True)
        for key in keys:
            mine = mine & (pl.col(key) == row[key])
        chosen = set(log.filter(mine)["serp_id"].to_list())
        estimator = row["estimator"].partition("(")[0]
        rows = [s for s in of.log if s.serp in chosen]
        expected = estimate(of, estimator, kinds[row["measure"]], rows, user=user)
        for name, value in expected.items():
            if value is None:
                assert row[name] is None, (name, row)
            else:
                assert row[name] == pytest.approx(value, rel=1e-9, abs=1e-9), (name, row)
        assert (row["se"] is None) == (row["status"] != "ok")


def handed(log: pl.DataFrame, engine: str) -> Any:
    return log if engine == "polars" else duckdb.connect().from_arrow(log.to_arrow())


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("cluster, weighted", [("page", False), ("user", True), ("page", True)])
def test_values_are_those_of_loops(engine: str, cluster: str, *, weighted: bool) -> None:
    of = make_case(3, weighted=weighted)
    log = log_of(of) if weighted else log_of(of).drop("weight")
    actual = ir.clicks.counterfactual(
        handed(log, engine), run_of(of), "DCG@3", propensity=positions_of(of), estimators=ASKED, cluster=cluster
    )
    summary = actual.summary()
    assert summary.height == len(ESTIMATORS)
    held(summary, of, (), user=cluster == "user")
    by_query = actual.per_unit()
    assert set(by_query["query_id"]) == {"a", "b", "c"}
    held(by_query, of, ("query_id",), user=cluster == "user")
    by_locale = actual.grouped("locale").summary()
    held(by_locale, of, ("locale",), user=cluster == "user")


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_measures_weigh_ranks_as_their_formulas_say(engine: str) -> None:
    of = make_case(4)
    log = handed(log_of(of).drop("weight"), engine)
    actual = ir.clicks.counterfactual(log, run_of(of), list(MEASURES), propensity=positions_of(of), estimators="IPS")
    held(actual.summary(), of, (), user=False)
    own = ir.clicks.counterfactual(log, run_of(of), {"mine": [0.5, 0.5]}, propensity=positions_of(of), estimators="IPS")
    p_at_2 = actual.summary().filter(pl.col("measure") == "P@2").drop("measure")
    assert own.summary().drop("measure").equals(p_at_2)


def test_engines_and_sql_agree() -> None:
    of = make_case(5, weighted=True)
    options: dict[str, Any] = {"propensity": positions_of(of), "estimators": ASKED, "cluster": "user"}
    log, run = log_of(of), run_of(of)
    here = ir.clicks.counterfactual(log, run, "DCG@3 RR", **options).per_unit()
    con = duckdb.connect()
    con.from_arrow(log.to_arrow()).create("impressions")
    con.from_arrow(run.to_arrow()).create("run")
    there = ir.clicks.counterfactual(con.table("impressions"), run, "DCG@3 RR", **options)
    for other in (there.per_unit(), con.sql(there.per_unit.sql()).pl()):
        assert other.columns == here.columns
        for name in here.columns:
            if here[name].dtype == pl.Float64:
                assert (here[name] - other[name]).abs().max() < 1e-12
                assert here[name].is_null().equals(other[name].is_null())
            else:
                assert here[name].to_list() == other[name].to_list()


def test_relevance_of_ones_own_and_propensities_of_the_log() -> None:
    of = make_case(7)
    log = log_of(of).drop("weight")
    known = log.with_columns(propensity=1.0 / pl.col("position"))
    by_position = ir.clicks.counterfactual(
        log, run_of(of), "RR", propensity=[1, 1 / 2, 1 / 3, 1 / 4], estimators="IPS DR"
    )
    from_log = ir.clicks.counterfactual(known, run_of(of), "RR", estimators="IPS DR")
    assert_frame_equal(from_log.summary(), by_position.summary(), abs_tol=1e-12)
    nothing = pl.DataFrame({"query_id": ["a"], "doc_id": ["d0"], "relevance": [0.0]})
    actual = ir.clicks.counterfactual(known, run_of(of), "RR", estimators="IPS DM DR", relevance=nothing).summary()[
        "value"
    ]
    assert actual[1] == 0.0
    assert actual[2] == pytest.approx(actual[0])


def test_a_difference_is_that_of_the_values_within_clusters() -> None:
    of, log = make_case(9), log_of(make_case(9)).drop("weight")
    one, other = run_of(of), run_of(make_case(10))
    both = pl.concat([f.with_columns(run_id=pl.lit(n)) for n, f in (("a", one), ("b", other))])
    options: dict[str, Any] = {"propensity": positions_of(of), "estimators": "IPS SNIPS DR"}
    actual = ir.clicks.counterfactual(log, both, "DCG@3", **options)
    values = {(r["run_id"], r["estimator"]): r["value"] for r in actual.summary().iter_rows(named=True)}
    for row in actual.compare("a").iter_rows(named=True):
        assert row["difference"] == pytest.approx(values["b", row["estimator"]] - values["a", row["estimator"]])
    per_page = {}
    for name, run in (("a", one), ("b", other)):
        pages = ir.clicks.counterfactual(log.with_columns(page="serp_id"), run, "DCG@3", **options, by="page").summary()
        ips = pages.filter(pl.col("estimator") == "IPS")
        per_page[name] = dict(zip(ips["page"], ips["value"], strict=True))
    d = [per_page["b"][page] - per_page["a"][page] for page in per_page["a"]]
    se = pl.Series(d).std() / math.sqrt(len(d))  # type: ignore[operator]
    assert actual.compare("a").filter(pl.col("estimator") == "IPS")["se"][0] == pytest.approx(se)
    compared = ir.compare(actual, baseline="a").table()
    assert set(compared["measure"]) == {"DCG@3 IPS", "DCG@3 SNIPS", "DCG@3 DR"}


def test_coverage_counts_what_was_never_shown() -> None:
    of = make_case(11)
    log, run = log_of(of), run_of(of)
    actual = ir.clicks.counterfactual(log, run, "P@3 RR", propensity=positions_of(of)).coverage().to_dicts()
    shown = {(s.query, s.doc) for s in of.log if s.doc}
    queries = {s.query for s in of.log}
    for row, depth in zip(actual, (3, 5), strict=True):
        results = [(q, d) for q, docs in of.run.items() if q in queries for d in docs[:depth]]
        assert (row["n_results"], row["n_shown"]) == (len(results), len(shown & set(results)))
        assert row["never_shown"] == pytest.approx(1 - len(shown & set(results)) / len(results))
        pages = {s.serp: s for s in of.log}.values()
        inside = sum(s.weight for s in pages if s.query in of.run) / sum(s.weight for s in pages)
        assert row["pages_in_run"] == pytest.approx(inside)
        clicks = [s for s in of.log if s.click]
        counted = sum(s.weight for s in clicks if (s.query, s.doc) in set(results))
        assert row["clicks_in_run"] == pytest.approx(counted / sum(s.weight for s in clicks))


def test_coverage_of_groups_is_that_of_their_pages() -> None:
    of = make_case(17)
    log, run = log_of(of), run_of(of)
    options: dict[str, Any] = {"propensity": positions_of(of)}
    actual = ir.clicks.counterfactual(log, run, "P@3", by="locale", **options).coverage()
    for key in ("en", "de"):
        alone = ir.clicks.counterfactual(log.filter(pl.col("locale") == key), run, "P@3", **options).coverage()
        assert_frame_equal(actual.filter(pl.col("locale") == key).drop("locale"), alone, abs_tol=1e-12)
    by_query = ir.clicks.counterfactual(log, run, "P@3", **options).coverage(per_unit=True)
    one = ir.clicks.counterfactual(log.filter(pl.col("query_id") == "b"), run, "P@3", **options).coverage()
    assert_frame_equal(by_query.filter(pl.col("query_id") == "b").drop("query_id"), one, abs_tol=1e-12)


def test_systems_of_a_log_have_pages_of_their_own() -> None:
    of = make_case(13)
    log = log_of(of).drop("weight")
    twice = pl.concat([log.with_columns(run_id=pl.lit(name)) for name in ("old", "older")])
    apart = pl.concat([log, log.with_columns(pl.col("serp_id") + 1000)])
    options: dict[str, Any] = {"propensity": positions_of(of), "estimators": "IPS SNIPS DR"}
    actual = ir.clicks.counterfactual(twice, run_of(of), "DCG@3", **options)
    assert_frame_equal(
        actual.summary(), ir.clicks.counterfactual(apart, run_of(of), "DCG@3", **options).summary(), abs_tol=1e-12
    )
    assert actual.summary() is actual.summary()
