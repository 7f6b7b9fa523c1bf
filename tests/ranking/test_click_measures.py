"""Measures that use a click model: forms of models, their errors, and unseen documents."""

from __future__ import annotations

import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.clicks import models
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    IrevalError,
    MismatchedTables,
    MissingColumn,
    NotDefined,
)
from tests.oracles.click_measures import Doc, Model, value

ENGINES = ("polars", "duckdb")
QRELS, RUN = ir.examples.ranking()
MODEL = ir.examples.click_model()
LOG = ir.Impressions(
    pl.DataFrame(
        [
            {"serp_id": s, "query_id": "q", "doc_id": d, "position": r, "click": int((s * 7 + r * 3) % 5 == 0)}
            for s in range(60)
            for r, d in enumerate((["d1", "d2", "d3"], ["d3", "d4", "d1"], ["d2", "d1", "d4"])[s % 3], 1)
        ]
    )
)


def summary_values(measures: str, model: Any = MODEL, **options: Any) -> list[float | None]:
    return ir.evaluate(QRELS, RUN, measures, click_model=model, **options).summary()["value"].to_list()


def docs(model: Any) -> list[Doc]:
    """The list of the run with the parameters of a model."""
    grade = {"d1": 1.0, "d3": 3.0}
    rows = {(r["parameter"], r["doc_id"]): r["value"] for r in model.parameters().iter_rows(named=True)}
    names = RUN["doc_id"].to_list()
    return [Doc(rows.get(("attraction", d)), rows.get(("satisfaction", d)), grade.get(d, 0.0)) for d in names]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "name, measure",
    [("SDBN", "uSDBN"), ("DBN", "EBU"), ("DBN", "rrDBN"), ("DCM", "uDCM"), ("UBM", "uUBM"), ("PBM", "uPBM")],
)
def test_fitted_models_and_their_tables(name: str, measure: str, engine: str, tmp_path: Path) -> None:
    """A model, its table and its file give the same values; `unseen="prior"` is the mean of the prior."""
    model = LOG.fit(name)
    model.save(tmp_path / "model.parquet")
    actual = [
        summary_values(f"{measure}@4", m, engine=engine)[0]
        for m in (model, model.parameters(), tmp_path / "model.parquet")
    ]
    rows = model.parameters().rows(named=True)
    of = Model(
        next((r["value"] for r in rows if r["parameter"] == "continuation" and r["position"] is None), None),
        {r["position"]: r["value"] for r in rows if r["parameter"] == "continuation" and r["position"]},
        {r["position"]: r["value"] for r in rows if r["parameter"] == "examination" and r["last_click"] is None},
        {
            (r["position"], r["last_click"]): r["value"]
            for r in rows
            if r["parameter"] == "examination" and r["last_click"] is not None
        },
    )
    parameters = {"unseen": 0.0, "gain": "exp", "max_rel": 4, "satisfaction": None, "continuation": None}
    parameters |= {"continuation": 1.0} if name == "SDBN" else {}
    assert actual == pytest.approx([value(measure, docs(model), of, 4, parameters)] * 3, rel=1e-12)
    prior = summary_values(f"{measure}(unseen='prior')@5", model, engine=engine)
    assert prior == pytest.approx(summary_values(f"{measure}(unseen=0.5)@5", model, engine=engine), rel=1e-12)


@pytest.mark.parametrize("engine", ENGINES)
def test_err_from_clicks(engine: str) -> None:
    """ERR of the judgments of SDBN or CM equals rrDBN of their parameters."""
    for name, options in (("SDBN", ""), ("CM", ",satisfaction=1")):
        model = LOG.fit(name, prior=(0, 0))
        judged = ir.evaluate(model.judgments(), RUN, "ERR(stop='relevance')@4 nERR(stop='relevance')@4", engine=engine)
        err, nerr = judged.summary()["value"]
        looks, expected = 1.0, 0.0
        relevance = dict(model.relevance().select("doc_id", "relevance").rows())
        for rank, doc in enumerate(["d1", "d2", "d3", "d4"], 1):
            expected += looks * relevance[doc] / rank
            looks *= 1.0 - relevance[doc]
        assert err == pytest.approx(expected, rel=1e-12)
        assert err <= nerr <= 1.0
        assert summary_values(f"rrDBN(continuation=1{options})@4", model, engine=engine)[0] == pytest.approx(
            expected, rel=1e-12
        )
    with pytest.raises(InvalidValue, match="reads relevance as a probability, and 2 judgments"):
        ir.evaluate(QRELS, RUN, "ERR(stop='relevance')").summary()


def test_unseen_documents() -> None:
    """Missing documents and null values are unseen; a document that is never clicked needs no satisfaction."""
    never = MODEL.with_columns(
        value=pl.when((pl.col("doc_id") == "d2") & (pl.col("parameter") == "satisfaction")).then(None)
        .when(pl.col("doc_id") == "d2").then(0.0).otherwise("value")
    )  # fmt: skip
    assert summary_values("uSDBN(unseen='error')@4", never)[0] == summary_values("uSDBN@4", never)[0]
    with pytest.raises(MismatchedTables, match=r"lists of 1 queries have no parameters.*\n.*unseen=0"):
        summary_values("uSDBN(unseen='error')@5")
    without_value = MODEL.with_columns(
        value=pl.when((pl.col("doc_id") == "d2") & (pl.col("value") == 0.2)).then(None).otherwise("value")
    )
    assert summary_values("Seen@4 Seen(min_n=35)@4 Seen", without_value) == [0.75, 0.25, 0.6]
    without_document = without_value.filter((pl.col("doc_id") != "d2").fill_null(value=True))
    assert summary_values("uSDBN(unseen=0.3)@4 rrDBN(continuation=1)", without_value) != summary_values(
        "uSDBN@4 rrDBN(continuation=1)", without_document
    )
    assert summary_values("uSDBN@4", without_value) == summary_values("uSDBN@4", without_document)
    no_parameters = MODEL.clear()
    assert summary_values("uSDBN Seen@5", no_parameters) == [0.0, 0.0]


NO_SATISFACTION = MODEL.filter(pl.col("parameter") != "satisfaction")
INVALID: dict[str, tuple[str, Any, type[IrevalError], str]] = {
    "no model": ("uSDBN", None, NotDefined, r"uSDBN needs the parameters of a click model.*\n.*click_model="),
    "no prior": ("uSDBN(unseen='prior')", MODEL, NotDefined, r"does not have.*\n.*unseen=0.5"),
    "no continuation": ("EBU", MODEL, NotDefined, r"EBU reads continuation.*\n.*EBU\(continuation=0.9\)"),
    "no satisfaction": ("uSDBN", NO_SATISFACTION, NotDefined, r"reads satisfaction.*\n.*SDBN"),
    "no examination": ("uPBM", MODEL.filter(pl.col("parameter") == "attraction"), NotDefined, "reads examination"),
    "no last click": ("uUBM@2", MODEL.drop("last_click"), NotDefined, "position and last click"),
    "no counts": ("Seen(min_n=1)", MODEL.drop("n"), NotDefined, "column 'n'"),
    "no documents": ("uSDBN", MODEL.drop("doc_id"), MissingColumn, "belong to no document"),
    "no value": ("uSDBN", MODEL.drop("value"), MissingColumn, "value"),
    "twice": ("uSDBN", pl.concat([MODEL, MODEL.head(1)]), DuplicateRows, "query_id 'q', doc_id 'd1'"),
    "positions twice": ("uPBM", pl.concat([MODEL, MODEL]), DuplicateRows, "several values"),
    "no probability": ("uSDBN", MODEL.with_columns(value=pl.col("value") * 2), InvalidValue, "must be probabilities"),
    "not a number": ("uSDBN", MODEL.with_columns(value=pl.lit(math.nan)), InvalidValue, "must be probabilities"),
    "of nothing": (
        "uSDBN",
        MODEL.with_columns(doc_id=pl.lit(None, dtype=pl.String)),
        InvalidValue,
        "without a document",
    ),
    "too deep": ("uUBM@26", MODEL, InvalidParameter, "at most 25"),
    "a word": ("uSDBN(unseen='mean')", MODEL, InvalidParameter, "'prior' or 'error'|\"prior\" or \"error\""),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", INVALID)
def test_invalid_models(case: str, engine: str) -> None:
    measure, model, error, message = INVALID[case]
    with pytest.raises(error, match=f"(?s){message}"):
        summary_values(measure, model, engine=engine)


def test_models_of_groups_are_refused() -> None:
    log = ir.Impressions(LOG._user_tables["impressions"].with_columns(site=pl.col("serp_id") % 2), by="site")
    with pytest.raises(NotDefined, match=r"for each site(.|\n)*filter"):
        summary_values("uSDBN", log.fit("SDBN"))


def test_pickling_plans_and_sql() -> None:
    """Subjects pickle with their model; other measures ignore it; plans and SQL include it."""
    subject = ir.Rankings(QRELS, RUN, click_model=LOG.fit("SDBN"))
    restored = pickle.loads(pickle.dumps(subject))
    assert restored.evaluate("uSDBN@3").summary().equals(subject.evaluate("uSDBN@3").summary())
    assert "click_documents" in subject.evaluate("uSDBN@3").explain()
    assert ir.evaluate(QRELS, RUN, "nDCG@3", click_model=pl.DataFrame({"x": [1]})).summary()["value"].item() > 0
    assert "click_model" in subject.evaluate("uSDBN@3").per_unit.sql()


def test_stored_evaluations_differ_by_model(tmp_path: Path) -> None:
    store = ir.Store(tmp_path)
    for model in (MODEL, MODEL.with_columns(value=pl.col("value") / 2), MODEL):
        store.add(ir.evaluate(QRELS, RUN, "uSDBN@3", click_model=model))
    assert store.sql("SELECT value FROM values ORDER BY value")["value"].to_list() == pytest.approx(
        sorted([*summary_values("uSDBN@3"), *summary_values("uSDBN@3", MODEL.with_columns(value=pl.col("value") / 2))])
    )


# ---- intervals


def test_intervals_are_quantiles_of_draws() -> None:
    """The same draws by a loop, from the Beta posterior of every value."""
    model, draws = LOG.fit("SDBN", prior=(2, 1)), 20
    subject = ir.Rankings(QRELS, RUN, click_model=model)
    actual = subject.click_intervals("rrDBN(continuation=1)@4", n_resamples=draws, seed=3, confidence=0.8).row(0)
    rows, draw, drawn = model.parameters(), np.random.default_rng(3), []
    sizes = rows["n"].to_numpy() + 3.0
    for _ in range(draws):
        values = draw.beta(rows["value"].to_numpy() * sizes, (1.0 - rows["value"].to_numpy()) * sizes)
        keyed = dict(zip(rows.select("parameter", "doc_id").rows(), values, strict=True))
        looks, total = 1.0, 0.0
        for rank, doc in enumerate(["d1", "d2", "d3", "d4"], 1):
            stops = keyed["attraction", doc] * keyed["satisfaction", doc]
            total, looks = total + looks * stops / rank, looks * (1.0 - stops)
        drawn.append(total)
    value = subject.evaluate("rrDBN(continuation=1)@4").summary()["value"].item()
    expected = ("rrDBN(continuation=1)@4", value, *np.quantile(drawn, [0.1, 0.9]))
    assert actual[0] == expected[0]
    assert actual[1:] == pytest.approx(expected[1:], rel=1e-12)
    assert actual[2] < actual[1] < actual[3]


def test_intervals_of_queries_and_of_certain_values() -> None:
    table = LOG.fit("SDBN", prior=(0, 0)).parameters()
    subject = ir.Rankings(QRELS, RUN, click_model=table)
    actual = subject.click_intervals("uSDBN@3", n_resamples=10, prior=(0, 0), per_unit=True)
    assert actual.columns == ["query_id", "measure", "value", "low", "high"]
    few_impressions = subject.click_intervals("uSDBN@3", n_resamples=10)
    many_impressions = ir.Rankings(QRELS, RUN, click_model=table.with_columns(pl.col("n") * 1e6)).click_intervals(
        "uSDBN@3", n_resamples=10
    )
    width = [f["high"].item() - f["low"].item() for f in (few_impressions, many_impressions)]
    assert width[1] < width[0] / 100
    for measures, model, error, message in (
        ("nDCG", table, NotDefined, "reads no click model"),
        ("uSDBN", table.drop("n"), MissingColumn, "no column 'n'"),
        ("EBU", LOG.fit("DBN"), NotDefined, "fitted by iteration"),
    ):
        with pytest.raises(error, match=message):
            ir.Rankings(QRELS, RUN, click_model=model).click_intervals(measures)
    with pytest.raises(InvalidParameter, match=r"confidence is 1(.|\n)*confidence=0.95"):
        subject.click_intervals("uSDBN", confidence=1)
    assert models.names()
