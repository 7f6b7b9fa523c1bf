"""Units, clusters and items that are null: an error that counts them and names the way out, on every subject."""

from __future__ import annotations

import math
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidValue

UNIT = ["x", "x", "y", "y", None, None, "z", "z"]
LABELS = pl.DataFrame(
    {"item_id": range(8), "label": [*"abababab"], "prediction": [*"ababbaba"], "cluster": [*"aabbaabb"], "u": UNIT}
)
RATINGS = pl.DataFrame(
    {"item_id": [1, 1, 2, 2, 3, 3, 4, 4], "rater_id": ["p", "q"] * 4, "rating": [1, 2, 2, 2, 1, 1, 2, 1], "u": UNIT}
)
POINTS = pl.DataFrame({"x": [1.0, 2, 3, 5, 8, 9, 7, 4], "cluster": [*"abababab"], "u": UNIT})
DOCUMENTS = pl.DataFrame(
    {"item_id": range(8), "relevance": [1, 0] * 4, "score": [1.0, 2, 3, 4, 5, 6, 7, 8], "query_id": UNIT}
)
PAGES = pl.DataFrame(
    {
        "serp_id": range(8),
        "query_id": ["q"] * 8,
        "doc_id": ["d"] * 8,
        "position": [1] * 8,
        "click": [1, 0] * 4,
        "u": UNIT,
    }
)


def subjects(engine: str, **options: Any) -> list[tuple[Any, str]]:
    two = (LABELS.select("item_id", "label", "u"), LABELS.select("item_id", "prediction", "u"))
    clustered = (two[0], LABELS.select("item_id", "cluster", "u"))
    gold = (DOCUMENTS.drop("score"), DOCUMENTS.drop("relevance"))
    options = {**options, "engine": engine}
    return [
        (ir.Labels(LABELS, unit="u", **options), "Accuracy"),
        (ir.Labels(*two, unit="u", **options), "Accuracy"),
        (ir.Clusters(LABELS.drop("prediction"), unit="u", **options), "Purity"),
        (ir.Clusters(*clustered, unit="u", **options), "Purity"),
        (ir.Points(POINTS, "x", unit="u", **options), "RSquared"),
        (ir.Ratings(RATINGS, unit="u", **options), "PercentAgreement"),
        (ir.Organization(DOCUMENTS, **options), "RS"),
        (ir.Organization(*gold, **options), "RS"),
        (ir.Impressions(PAGES, unit="u", **options), "CTR"),
    ]


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_rows_without_a_unit(engine: str) -> None:
    for subject, measure in subjects(engine):
        with pytest.raises(InvalidValue, match=r"2 rows have no unit: column '(u|query_id)'") as warned:
            subject.evaluate(measure).summary()
        assert 'policy="units=drop-null"' in str(warned.value)
    # Ids that were numbers with gaps are NaN.
    nan = LABELS.with_columns(u=pl.Series([1.0, 1.0, 2.0, 2.0, math.nan, math.nan, 3.0, 3.0]), variant="prediction")
    with pytest.raises(InvalidValue, match="2 rows have no unit: column 'u' of the labels table is NaN"):
        ir.Labels(nan, unit="u", engine=engine).evaluate("Accuracy").summary()
    left = ir.Labels(nan, unit="u", engine=engine, policy="units=drop-null").evaluate("Accuracy").per_unit()
    assert left["u"].to_list() == [1.0, 2.0, 3.0]
    with pytest.raises(InvalidValue, match="2 rows have no unit: column 'u' is NaN"):
        ir.Experiment(nan, unit="u", several_variants="keep", engine=engine).srm()
    remaining = ir.Experiment(nan, unit="u", several_variants="keep", units="drop-null", engine=engine).srm()
    assert remaining["n"].to_list() == [3, 3]
    with pytest.raises(InvalidValue, match=r"null in 2 rows(.|\n)*is_nan"):
        ir.resampling.bootstrap(ir.Labels(nan, engine=engine), "Accuracy", cluster="u", n_resamples=20).table()
    for subject, measure in subjects(engine, policy="units=drop-null"):
        units = subject.evaluate(measure).per_unit()
        assert units[units.columns[0]].to_list() == ["x", "y", "z"], subject


def test_groups_that_are_null_are_groups() -> None:
    """What groups units is no unit: those of no group are a group of their own, and shown."""
    named = {"Labels": (LABELS, "Accuracy"), "Ratings": (RATINGS, "PercentAgreement"), "Impressions": (PAGES, "CTR")}
    for name, (frame, measure) in named.items():
        actual = getattr(ir, name)(frame).evaluate(measure, by="u").summary()
        assert sorted(actual["u"].to_list(), key=str) == [None, "x", "y", "z"]


def test_items_without_an_id_are_not_one_item() -> None:
    lost = pl.when(pl.col("item_id") > 6).then(None).otherwise("item_id").alias("item_id")
    frame = LABELS.with_columns(lost)
    labels, predictions = frame.select("item_id", "label"), frame.select("item_id", "prediction")
    for subject, measure in (
        (ir.Labels(labels, predictions), "Accuracy"),
        (ir.Clusters(labels, frame.select("item_id", "cluster")), "Purity"),
        (ir.Clusters(frame.drop("prediction"), item="item_id"), "Purity"),
        (ir.Organization(labels, frame.select("item_id", cluster_id="cluster")), "RS"),
    ):
        with pytest.raises(InvalidValue, match=r"1 row of the (labels|clusters|gold) table has no item: column"):
            subject.evaluate(measure).summary()


def test_queries_and_users_of_logs_are_known() -> None:
    log = ir.examples.click_log()
    page = pl.col("serp_id") == 1
    queries = log.with_columns(query_id=pl.when(~page).then("query_id"))
    users = log.with_columns(user_id=pl.when(~page).then("user_id"))
    for ask in (
        lambda: ir.Impressions(queries).fit("PBM").parameters(),
        lambda: ir.Impressions(queries).fit("SDBN").parameters(),
        lambda: ir.clicks.propensities(queries),
    ):
        with pytest.raises(InvalidValue, match="3 rows of the log have no query_id"):
            ask()
    with pytest.raises(InvalidValue, match="3 rows of the log have no user_id"):
        ir.clicks.propensities(users, "randomised", cluster="user")


def test_what_is_drawn_together_is_known() -> None:
    labels = ir.Labels(LABELS)
    for ask in (
        lambda: ir.resampling.bootstrap(labels, "Accuracy", cluster="u", n_resamples=10).table(),
        lambda: ir.resampling.jackknife(labels, "Accuracy", cluster="u").influence(),
    ):
        with pytest.raises(InvalidValue, match=r"'u' identifies the units and is null in 2 rows"):
            ask()
    with pytest.raises(InvalidValue, match="no unit"):
        ir.resampling.bootstrap(labels, "Accuracy", unit="u", n_resamples=10).table()
    # Strata are groups.
    assert ir.resampling.bootstrap(labels, "Accuracy", stratify="u", n_resamples=10).table()["n_resampled"].item() == 8
