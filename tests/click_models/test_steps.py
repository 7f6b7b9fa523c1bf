"""Every step of every model against all states of the user written out, on both engines."""

from __future__ import annotations

import math

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.clicks.models import FittedModel
from tests.click_models import states as oracle
from tests.click_models.cases import every_pattern, rows

CLOSED = ("GCTR", "RCTR", "DCTR", "DRCTR", "CM", "DCM", "SDBN")
ITERATED = ("PBM", "UBM", "DBN", "CCM")
PRIORS = ((1.0, 1.0), (0.0, 0.0), (0.5, 2.0))


def log(frame: pl.DataFrame, engine: str) -> ir.Impressions:
    return ir.Impressions(frame, engine=engine, by="site")


def values(model: FittedModel, of: str = "value") -> dict[tuple, float]:
    """By (parameter, group, keys …), as the oracle has them."""
    out = {}
    for row in model.parameters().iter_rows(named=True):
        names = ("query_id", "doc_id", "position", "last_click", "after")
        keys = [row[k] for k in names if row.get(k) is not None]
        if row["status"] not in ("prior", "undefined"):
            out[(row["parameter"], row["site"], *keys)] = row[of]
    return out


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("name", ITERATED)
def test_each_iteration_is_that_over_all_states(name: str, prior: tuple[float, float], engine: str) -> None:
    pages = every_pattern()
    for iterations in (1, 3):
        model = log(rows(pages), engine).fit(name, iterations=iterations, tolerance=0, prior=prior, initial=0.4)
        expected, likelihoods = oracle.fitted(name, pages, iterations, prior, 0.4)
        actual = values(model)
        assert actual
        for key, value in actual.items():
            assert value == pytest.approx(expected[key], abs=1e-11), key
        assert list(model.trace.log_likelihood) == pytest.approx(likelihoods, rel=1e-12)


@pytest.mark.parametrize("name", ITERATED)
def test_five_results(name: str) -> None:
    pages = [p for p in every_pattern(5, seed=3) if len(p.docs) == 5]
    model = log(rows(pages), "polars").fit(name, iterations=1, tolerance=0, prior=(0, 0), initial=0.3)
    expected, _ = oracle.fitted(name, pages, 1, (0.0, 0.0), 0.3)
    assert values(model) == pytest.approx({k: expected[k] for k in values(model)}, abs=1e-11)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("name", CLOSED)
def test_closed_forms_are_ratios_of_counts(name: str, prior: tuple[float, float], engine: str) -> None:
    from scipy import stats

    pages = every_pattern()
    model = log(rows(pages), engine).fit(name, prior=prior)
    expected = oracle.counted(name, pages, prior)
    assert values(model) == pytest.approx({k: v for k, (_, _, v) in expected.items()}, abs=1e-14)
    assert values(model, "n") == pytest.approx({k: n for k, (_, n, _) in expected.items()})
    a, b = prior if prior != (0, 0) else (0.5, 0.5)
    low, high = values(model, "low"), values(model, "high")
    for key, (hits, n, _) in expected.items():
        ends = stats.beta(hits + a, n - hits + b).ppf([0.025, 0.975])
        if prior == (0, 0):
            ends = [0.0 if hits == 0 else ends[0], 1.0 if hits == n else ends[1]]
        assert (low[key], high[key]) == pytest.approx(tuple(ends), abs=1e-12)


@pytest.mark.parametrize("name", ITERATED)
def test_predictions_are_sums_over_all_states(name: str) -> None:
    pages = every_pattern()
    model = log(rows(pages), "polars").fit(name, iterations=2, tolerance=0)
    parameters, _ = oracle.fitted(name, pages, 2, (1.0, 1.0), 0.5)
    sums: dict[str, dict[int, float]] = {"LL": {}, "Perplexity": {}, "ConditionalPerplexity": {}}
    n: dict[int, float] = {}
    for p in pages:
        conditional, marginal = oracle.predictions(name, parameters, p)
        for r, click in enumerate(p.clicks):
            n[r + 1] = n.get(r + 1, 0.0) + p.weight
            for measure, of in (("LL", conditional), ("Perplexity", marginal), ("ConditionalPerplexity", conditional)):
                happened = math.log(of[r] if click else 1 - of[r])
                sums[measure][r + 1] = sums[measure].get(r + 1, 0.0) + p.weight * happened
    complete = ir.Impressions(rows(pages).with_columns(all=pl.lit("x")), by="site")
    predicted = model.evaluate(complete)
    assert predicted["n_outside"].sum() == 0 == predicted["n_unseen"].sum()
    for measure, of in sums.items():
        for position, total in of.items():
            here = predicted.filter((pl.col("measure") == measure) & (pl.col("position") == position))
            # Groups are weighed together to what all their pages say.
            weights = {r["site"]: sum(p.weight for p in pages if p.group == r["site"] and len(p.docs) >= position)
                       for r in here.iter_rows(named=True)}  # fmt: skip
            back = sum(
                weights[r["site"]] * (r["value"] if measure == "LL" else -math.log(r["value"]))
                for r in here.iter_rows(named=True)
            )
            assert back == pytest.approx(total, rel=1e-11)


@pytest.mark.parametrize("name", [*CLOSED, *ITERATED])
def test_counts_are_copies_and_days_add_up(name: str) -> None:
    pages = every_pattern()
    one = log(rows(pages), "polars").fit(name, iterations=5, tolerance=0)
    many = log(rows(pages, copies=True), "duckdb").fit(name, iterations=5, tolerance=0)
    assert values(one) == pytest.approx(values(many), abs=1e-12)
    half = [p for i, p in enumerate(pages) if i % 2]
    days = pl.concat([rows(half), rows([p for p in pages if p not in half]).with_columns(pl.col("serp_id") + 1000)])
    assert values(log(days, "polars").fit(name, iterations=5, tolerance=0)) == pytest.approx(values(one), abs=1e-12)


def test_where_the_log_is() -> None:
    """A relation of DuckDB, and its names of columns."""
    frame = rows(every_pattern()).rename({"serp_id": "page", "doc_id": "Result"})
    con = duckdb.connect()
    relation = con.from_arrow(frame.to_arrow())
    there = ir.Impressions(relation, serp="page", doc="Result", by="site").fit("UBM", iterations=3, tolerance=0)
    here = ir.Impressions(frame, serp="page", doc="Result", by="site").fit("UBM", iterations=3, tolerance=0)
    assert there.parameters().equals(here.parameters())
