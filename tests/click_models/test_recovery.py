"""Known parameters come back from simulated logs, within their intervals as often as these say."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.clicks import models
from ireval_frames.clicks.models.declared import AFTER, named

N_DOCS, LENGTH = 8, 5


def truth(name: str, seed: int = 0) -> models.FittedModel:
    """A model with parameters of two queries."""
    random = np.random.default_rng(seed)
    parts = []
    for parameter in named(name).parameters:
        pairs = [(q, f"d{d}") for q in (1, 2) for d in range(N_DOCS)]
        rows: list[dict] = [{"query_id": q, "doc_id": d} for q, d in pairs] if "doc_id" in parameter.keys else [{}]
        if "position" in parameter.keys:
            rows = [r | {"position": j + 1} for r in rows for j in range(LENGTH)]
        if "last_click" in parameter.keys:
            rows = [r | {"last_click": j} for r in rows for j in range(r["position"])]
        if "after" in parameter.keys:
            rows = [r | {"after": a} for r in rows for a in AFTER]
        low, high = (0.6, 0.9) if parameter.name in ("continuation", "examination") else (0.15, 0.7)
        parts.append(
            pl.DataFrame([r | {"parameter": parameter.name, "value": random.uniform(low, high)} for r in rows])
        )
    return models.of_parameters(name, pl.concat(parts, how="diagonal"))


def lists(n: int, seed: int = 1) -> pl.DataFrame:
    """Pages that show random documents in random order."""
    random = np.random.default_rng(seed)
    docs = random.permuted(np.tile(np.arange(N_DOCS), (n, 1)), axis=1)[:, :LENGTH].ravel()
    return pl.DataFrame(
        {
            "serp_id": np.repeat(np.arange(n), LENGTH),
            "query_id": np.repeat(random.integers(1, 3, n), LENGTH),
            "doc_id": [f"d{d}" for d in docs],
            "position": np.tile(np.arange(1, LENGTH + 1), n),
        }
    )


def known(model: models.FittedModel) -> pl.DataFrame:
    return model.parameters().with_columns(pl.col("doc_id").cast(pl.String))


@pytest.mark.parametrize("name", ["DCTR", "RCTR", "CM", "PBM", "UBM", "DBN", "CCM"])
def test_parameters_come_back(name: str) -> None:
    real = truth(name)
    log = ir.Impressions(real.simulate(lists(20_000), seed=4))
    model = log.fit(name, iterations=400, tolerance=1e-5, prior=(0, 0))
    both = known(model).with_columns(truth=known(real)["value"])
    assert both["parameter"].to_list() == known(real)["parameter"].to_list()
    if name in ("PBM", "UBM"):
        # Only products are known: both are put on one scale.
        scale = (
            both.filter(pl.col("parameter") == "attraction").select((pl.col("value") / pl.col("truth")).mean()).item()
        )
        sign = pl.when(pl.col("parameter") == "attraction").then(1 / scale).otherwise(scale)
        both = both.with_columns(pl.col("value") * sign)
    # Satisfaction is seen only after clicks; CCM's clicks and satisfaction pull at each other.
    limits = {"satisfaction": 0.2, "continuation": 0.15 if name == "CCM" else 0.05}
    errors = both.group_by("parameter").agg((pl.col("value") - pl.col("truth")).abs().max())
    for parameter, error in errors.iter_rows():
        assert error < limits.get(parameter, 0.07), parameter


def test_intervals_of_closed_forms_cover() -> None:
    """In 95 % of the cases, counted over parameters and logs."""
    inside = total = 0
    real = truth("CM")
    for seed in range(12):
        model = ir.Impressions(real.simulate(lists(400, seed), seed=seed)).fit("CM", prior=(0.5, 0.5))
        rows = known(model).with_columns(truth=known(real)["value"])
        inside += rows.filter(pl.col("truth").is_between("low", "high")).height
        total += rows.height
    assert 0.9 <= inside / total <= 0.99


def test_bootstrapped_intervals_cover() -> None:
    """Of DBN's attraction and continuation, and the same from one seed."""
    inside = total = 0
    real = truth("DBN")
    for seed in range(2):
        fitted = ir.Impressions(real.simulate(lists(800, seed), seed=seed)).fit("DBN", prior=(0, 0), tolerance=1e-3)
        model = fitted.bootstrap(40, seed=1)
        rows = known(model).with_columns(truth=known(real)["value"]).filter(pl.col("parameter") != "satisfaction")
        inside += rows.filter(pl.col("truth").is_between("low", "high")).height
        total += rows.height
    assert 0.85 <= inside / total <= 1.0
    assert (
        model.relevance()
        .select((pl.col("low") <= pl.col("relevance")) & (pl.col("relevance") <= pl.col("high")))
        .to_series()
        .all()
    )
    assert fitted.bootstrap(40, seed=1).parameters().equals(model.parameters())


@pytest.mark.parametrize("prior", [(0, 0), (1, 1)])
@pytest.mark.parametrize("name", ["PBM", "UBM", "DBN", "CCM"])
def test_no_step_makes_it_less_likely(name: str, prior: tuple[float, float]) -> None:
    log = ir.Impressions(truth("UBM").simulate(lists(500), seed=2))
    steps = log.fit(name, iterations=60, prior=prior, tolerance=0).convergence()
    rise = steps["objective"].diff().drop_nulls()
    assert len(rise) == 60
    assert rise.min() >= -1e-9 * abs(steps["objective"][0])
    if prior == (0, 0):
        assert steps["objective"].equals(steps["log_likelihood"].alias("objective"))


def test_a_former_fit_is_gone_on_with() -> None:
    log = ir.Impressions(truth("DBN").simulate(lists(500), seed=3))
    whole = log.fit("DBN", iterations=30, tolerance=0)
    half = log.fit("DBN", iterations=15, tolerance=0)
    rest = log.fit("DBN", iterations=15, tolerance=0, start=half)
    assert rest.parameters()["value"].to_list() == pytest.approx(whole.parameters()["value"].to_list(), abs=1e-12)


@pytest.mark.parametrize("name", ["DRCTR", "DCM", "SDBN", "PBM", "UBM", "DBN", "CCM"])
def test_clicks_are_drawn_as_predicted(name: str) -> None:
    """Rates by position are the marginal probabilities, and each engine draws the same clicks."""
    real, shown = truth(name), lists(4000)
    drawn = real.simulate(shown, seed=9)
    assert drawn.equals(real.simulate(shown.sample(fraction=1.0, shuffle=True, seed=1).lazy(), seed=9))
    first = shown.filter(pl.col("serp_id") < 50)
    import duckdb

    relation = duckdb.connect().from_arrow(first.to_arrow())
    assert real.simulate(relation, seed=9).equals(drawn.filter(pl.col("serp_id") < 50))
    log = ir.Impressions(drawn)
    # 2^(−mean log₂ P) of the right model is that of its own entropy, and any change of its values is worse.
    other = models.of_parameters(name, real.parameters().with_columns(pl.col("value") ** 1.3))
    mine, theirs = (m.evaluate(log, "LL").filter(pl.col("position").is_null())["value"][0] for m in (real, other))
    assert mine > theirs
    expected = real.evaluate(log, "CTRPrediction")["value"][0]
    assert expected < 0.06
    assert not drawn.equals(real.simulate(shown, seed=10))
