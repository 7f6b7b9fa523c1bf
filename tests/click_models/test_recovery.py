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


def on_the_scale(rows: pl.DataFrame) -> pl.DataFrame:
    """Values beside their truth; of PBM and UBM, which know only products, with the truth on the scale of the fit.

    That is the examination of position 1, which has no interval.
    """
    scale = rows.filter(pl.col("parameter") == "examination", pl.col("position") == 1)
    assert scale["low"].null_count() == scale.height
    if scale.is_empty():
        return rows
    factors = scale.select("rep", factor=pl.col("value") / pl.col("truth"))
    sign = pl.when(pl.col("parameter") == "examination").then(pl.col("factor")).otherwise(1 / pl.col("factor"))
    return rows.join(factors, on="rep").with_columns(truth=pl.col("truth") * sign)


@pytest.mark.parametrize("name", ["DCTR", "RCTR", "CM", "PBM", "UBM", "DBN", "CCM"])
def test_parameters_come_back(name: str) -> None:
    """All at once: that any is outside of its interval of 1 − 10⁻⁴ / K has a probability of at most 10⁻⁴."""
    real = truth(name)
    values = known(real)["value"]
    log = ir.Impressions(real.simulate(lists(20_000), seed=4))
    confidence = 1 - 1e-4 / len(values)
    model = log.fit(name, iterations=400, tolerance=1e-5, prior=(0, 0), confidence=confidence).intervals()
    both = on_the_scale(known(model).with_columns(truth=values, rep=pl.lit(0)))
    actual = both.filter(pl.col("low").is_not_null())
    assert actual.height == len(values) - (name in ("PBM", "UBM"))
    assert actual.filter(~pl.col("truth").is_between("low", "high")).rows() == []
    # Impressions of a pair are some thousand, and clicks some hundred at least: the error of a share is below 0.05.
    seen = actual.filter(pl.col("parameter") == "attraction")
    assert (seen["high"] - seen["low"]).max() < 2 * 5 * 0.05 if seen.height else True


def replicates(name: str, n: int, pages: int, *, seed: int = 0) -> tuple[models.FittedModel, pl.DataFrame]:
    """Models of as many groups, whose parameters are drawn evenly from 0 to 1 (or so that much is seen), and lists."""
    random = np.random.default_rng(seed)
    rows = known(truth(name)).select(pl.exclude("n", "low", "high", "status", "value"))
    rows = rows.drop([c for c in rows.columns if rows[c].null_count() == rows.height])
    rows = rows.join(pl.DataFrame({"rep": range(n)}), how="cross")
    even = named(name).closed
    bounds = [(0.6, 0.9) if p in ("continuation", "examination") else (0.15, 0.7) for p in rows["parameter"]]
    low, high = (0.0, 1.0) if even else np.array(bounds).T
    real = models.of_parameters(name, rows.with_columns(value=random.uniform(low, high, rows.height)), by=["rep"])
    shown = lists(n * pages, seed).with_columns(rep=pl.col("serp_id") % n)
    return real, shown


def inside(real: models.FittedModel, fitted: models.FittedModel) -> pl.DataFrame:
    """[rep parameter inside], a row for each value that has an interval."""
    keys = ["rep", "parameter", *(c for c in ("query_id", "doc_id", "position", "last_click", "after"))]
    keys = [c for c in keys if c in known(fitted).columns]
    truths = known(real).select(*keys, truth="value")
    rows = on_the_scale(known(fitted).join(truths, on=keys, nulls_equal=True))
    rows = rows.filter(pl.col("low").is_not_null())
    return rows.select("rep", "parameter", inside=pl.col("truth").is_between("low", "high"))


def near(rows: pl.DataFrame, error: float) -> None:
    """The share inside is 95 %, within four standard errors over independent groups, and what is not exact."""
    of = rows.group_by("rep").agg(pl.col("inside").cast(pl.Float64).mean())["inside"]
    assert abs(of.mean() - 0.95) <= 4 * of.std() / len(of) ** 0.5 + error, of.mean()


def test_bootstrapped_intervals_cover() -> None:
    """Of attraction and continuation, and the same from one seed."""
    real, shown = replicates("DBN", 20, 300)
    fitted = ir.Impressions(real.simulate(shown, seed=1), by="rep").fit("DBN", prior=(0, 0), tolerance=1e-3)
    model = fitted.bootstrap(40, seed=1)
    near(inside(real, model).filter(pl.col("parameter") != "satisfaction"), 0.02)
    ends = model.relevance().drop_nulls("relevance")
    assert ends.select((pl.col("low") <= pl.col("relevance")) & (pl.col("relevance") <= pl.col("high")))["low"].all()
    few = fitted.bootstrap(3, seed=1).parameters()
    assert few.equals(fitted.bootstrap(3, seed=1).parameters())


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
    complete = log.fit("DBN", iterations=30, tolerance=0)
    half = log.fit("DBN", iterations=15, tolerance=0)
    rest = log.fit("DBN", iterations=15, tolerance=0, start=half)
    assert rest.parameters()["value"].to_list() == pytest.approx(complete.parameters()["value"].to_list(), abs=1e-12)


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
    mine, reference = (m.evaluate(log, "LL").filter(pl.col("position").is_null())["value"][0] for m in (real, other))
    assert mine > reference
    expected = real.evaluate(log, "CTRPrediction")["value"][0]
    assert expected < 0.06
    assert not drawn.equals(real.simulate(shown, seed=10))
