"""What a fitted model gives besides its steps: files, judgments, comparisons, conventions, and words for bad input."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import errors
from ireval_frames.clicks import models
from tests.click_models import states as oracle
from tests.click_models.cases import every_pattern, rows

EVERY = ("GCTR", "RCTR", "DCTR", "DRCTR", "CM", "DCM", "SDBN", "PBM", "UBM", "DBN", "CCM")
PAGE = {"serp_id": [1, 1, 2, 2], "query_id": [1] * 4, "doc_id": ["a", "b", "b", "a"], "position": [1, 2, 1, 2]}


def log(clicks: list[int] | None = None, **columns: list) -> ir.Impressions:
    return ir.Impressions(pl.DataFrame(PAGE | {"click": clicks or [0, 1, 1, 0]} | columns))


@pytest.fixture(scope="module")
def whole() -> ir.Impressions:
    return ir.Impressions(rows(every_pattern()), by="site")


@pytest.mark.parametrize("name", EVERY)
def test_a_file_holds_all_of_it(name: str, whole: ir.Impressions, tmp_path: Path) -> None:
    model = whole.fit(name, iterations=3, tolerance=0, prior=(0, 0) if name == "SDBN" else (1, 1))
    model.save(tmp_path / "model.parquet")
    again = models.load(tmp_path / "model.parquet")
    assert again.parameters().equals(model.parameters())
    assert again.explain() == model.explain()
    assert again.convergence().equals(model.convergence())
    assert again.evaluate(whole).equals(model.evaluate(whole))
    assert again.simulate(whole, 3).equals(model.simulate(whole, 3))
    if model.model.relevant:
        assert again.relevance().equals(model.relevance())


def test_files_that_are_none(tmp_path: Path) -> None:
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "other.parquet")
    with pytest.raises(errors.FileError, match="is no click model"):
        models.load(tmp_path / "other.parquet")
    with pytest.raises(errors.FileError, match="cannot be read"):
        models.load(tmp_path / "nothing.parquet")


def test_relevance_of_sdbn_is_one_ratio() -> None:
    """Without a prior α σ is last clicks over impressions at or above the last click."""
    pages = every_pattern()
    model = ir.Impressions(rows(pages), by="site").fit("SDBN", prior=(0, 0))
    ends: dict[tuple, list[float]] = {}
    for p in pages:
        last = max((r for r, c in enumerate(p.clicks) if c), default=None)
        for r, doc in enumerate(p.docs[: len(p.docs) if last is None else last + 1]):
            of = ends.setdefault((p.group, p.query, doc), [0.0, 0.0])
            of[0] += p.weight * (r == last)
            of[1] += p.weight
    for row in model.relevance().drop_nulls("relevance").iter_rows(named=True):
        hits, n = ends[row["site"], row["query_id"], row["doc_id"]]
        assert row["relevance"] == pytest.approx(hits / n)
        assert row["low"] <= row["relevance"] <= row["high"]


def test_judgments_are_evaluated(whole: ir.Impressions) -> None:
    model = ir.Impressions(rows(every_pattern())).fit("DBN", iterations=5, tolerance=0)
    assert ir.evaluate(model.judgments(), model.run(), "nDCG").summary()["value"].to_list() == pytest.approx([1.0])
    graded = model.judgments(grades=3)
    assert set(graded["relevance"]) == {0, 1, 2}
    assert graded["relevance"].value_counts()["count"].max() <= 4
    fixed = model.judgments(grades=[0.2, 0.4], min_n=3)
    plain = model.judgments(min_n=3)
    assert fixed["relevance"].to_list() == [(v >= 0.2) + (v >= 0.4) for v in plain["relevance"]]
    for grades in (1, [0.5, 0.5], [], "a"):
        with pytest.raises(errors.InvalidParameter, match="grades is"):
            model.judgments(grades=grades)
    with pytest.raises(errors.NotDefined, match="RCTR has no parameter of documents"):
        whole.fit("RCTR").relevance()


def test_models_are_compared_by_page() -> None:
    impressions = ir.Impressions(rows(every_pattern(), copies=True))
    values = pl.concat(
        [impressions.fit(name, iterations=3, tolerance=0).per_page(impressions) for name in ("UBM", "GCTR")]
    )
    compared = ir.compare(values, unit="serp_id", baseline="GCTR").table()
    assert compared["n"][0] == values["serp_id"].n_unique()
    mean = values.filter(run_id="UBM")["value"].mean()
    pyclick = impressions.fit("UBM", iterations=3, tolerance=0).evaluate(impressions, "LL", convention="pyclick")
    assert mean == pytest.approx(pyclick.filter(pl.col("position").is_null())["value"][0])


def test_conventions_of_evaluation_differ_as_they_say() -> None:
    pages = every_pattern()
    model = ir.Impressions(rows(pages).with_columns(site=pl.lit("x"))).fit("UBM", iterations=2, tolerance=0)
    same = [oracle.Page("x", p.query, p.docs, p.clicks, p.weight) for p in pages]
    values, _ = oracle.fitted("UBM", same, 2, (1.0, 1.0), 0.5)
    by_position: dict[int, float] = {}
    everyone = sum(p.weight for p in same)
    for p in same:
        _, marginal = oracle.predictions("UBM", values, p)
        for r, click in enumerate(p.clicks):
            happened = math.log(marginal[r] if click else 1 - marginal[r])
            by_position[r] = by_position.get(r, 0.0) + p.weight * happened
    expected = [math.exp(-by_position.get(r, 0.0) / everyone) for r in range(10)]
    source = ir.Impressions(rows(pages))
    of = {
        c: model.evaluate(source, convention=c).filter(pl.col("position").is_null()) for c in ("pyclick", "clickmodels")
    }
    assert of["pyclick"].filter(measure="Perplexity")["value"][0] == pytest.approx(sum(expected) / 10)
    plain = model.evaluate(source, "ConditionalPerplexity").filter(pl.col("position").is_null())
    assert of["clickmodels"].filter(measure="ConditionalPerplexity")["value"].to_list()[0] == plain["value"][0]


def test_conventions_of_fitting() -> None:
    pages = [p for p in every_pattern() if sum(p.clicks)]
    every = ir.Impressions(rows(every_pattern()), by="site")
    retained = ir.Impressions(rows(pages), by="site")
    for name in ("SDBN", "UBM", "PBM"):
        dropped = every.fit(name, convention="clickmodels", shortest=1, iterations=3, tolerance=0)
        assert dropped.parameters().equals(retained.fit(name, prior=(1, 1), iterations=3, tolerance=0).parameters())
    fixed = every.fit("DBN", convention="clickmodels", shortest=2)
    assert fixed.parameters().filter(parameter="continuation")["value"].to_list() == [0.9, 0.9]
    assert "fixed: continuation = 0.9" in fixed.explain()
    assert len(every.fit("UBM", convention="pyclick").convergence()) == 51


def test_what_is_outside_of_a_model_is_counted() -> None:
    source = log([0, 0, 1, 0])
    model = source.fit("CM", prior=(0, 0))
    other = log([1, 1, 1, 1], doc_id=["b", "a", "z", "b"])
    predicted = model.evaluate(other, "LL").filter(pl.col("position").is_null())
    # The second clicks of both pages, and the document that was never shown.
    assert predicted.row(0)[2:] == (pytest.approx(math.log(0.5)), 4.0, 3.0, 1.0)
    prior = source.fit("CM").evaluate(other, "LL").filter(pl.col("position").is_null())
    assert prior["n_outside"][0] == 2.0


def test_what_cannot_be_compared_is_reported() -> None:
    """Documents a and b change places, c and d never leave the third."""
    frame = pl.DataFrame(
        {
            "serp_id": [1, 1, 1, 2, 2, 2],
            "query_id": [1] * 6,
            "doc_id": ["a", "b", "c", "b", "a", "d"],
            "position": [1, 2, 3] * 2,
            "click": [1, 0, 0, 1, 0, 1],
        }
    )
    table = ir.Impressions(frame).fit("PBM").parameters()
    away = table.filter(status="disconnected")
    assert away.select("doc_id", "position").rows() == [("c", None), ("d", None), (None, 3)]


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("clicks", [[0, 0, 0, 0], [1, 1, 1, 1]])
@pytest.mark.parametrize("prior", [(0, 0), (1, 1)])
def test_no_clicks_and_nothing_but_clicks(name: str, clicks: list[int], prior: tuple[int, int]) -> None:
    # Attraction and examination both go to 0, ever more slowly.
    model = log(clicks).fit(name, prior=prior, tolerance=1e-5)
    table = model.parameters()
    assert table["value"].is_nan().sum() == 0
    assert table.filter(pl.col("value").is_null())["status"].unique().to_list() in ([], ["undefined"])
    assert (table["status"] == "undefined").sum() == 0 or prior == (0, 0)
    assert model.evaluate(log(clicks))["value"].is_nan().sum() == 0
    assert model.simulate(log(clicks)).height == 4


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("click", [0, 1])
def test_one_result(name: str, click: int) -> None:
    """What nothing tells of has no value, and takes none from what is counted."""
    one = ir.Impressions(pl.DataFrame({k: v[:1] for k, v in PAGE.items()} | {"click": [click]}))
    model = one.fit(name, prior=(0, 0), iterations=5, tolerance=0)
    table = model.intervals().parameters()
    assert table.filter(pl.col("value").is_null())["status"].unique().to_list() in ([], ["undefined"])
    assert table.filter(pl.col("n") > 0)["value"].null_count() == 0
    assert all(math.isfinite(x) for x in model.trace.log_likelihood)


def test_bad_input_gets_words() -> None:
    gap = log(position=[1, 3, 1, 2])
    with pytest.raises(errors.InvalidValue, match=r"1 result pages have positions that are not 1, 2 … n.*position 2"):
        gap.fit("DBN")
    assert gap.fit("PBM").parameters().height == 5
    with pytest.raises(errors.InvalidValue, match="a position of 1000000; models of whole pages take"):
        log(position=[1, 1_000_000, 1, 2]).fit("SDBN")
    with pytest.raises(errors.InvalidValue, match="have several weights"):
        log(weight=[1.0, 2.0, 1.0, 1.0]).fit("SDBN")
    with pytest.raises(errors.MismatchedTables, match="groups run_id, and the log none"):
        log(run_id=["a"] * 4).fit("SDBN").evaluate(log())
    with pytest.raises(errors.MismatchedTables, match="'doc_id' is String in the click model and Int64 in the pages"):
        log().fit("SDBN").evaluate(log(doc_id=[1, 2, 2, 1]))
    with pytest.raises(errors.InvalidValue, match="no results to fit"):
        log([0, 0, 0, 0]).fit("SDBN", no_clicks="dropped")
    with pytest.raises(errors.UnknownName, match="no click model 'SDBM'"):
        log().fit("SDBM")
    with pytest.raises(errors.InvalidParameter, match="initial is 1"):
        log().fit("PBM", initial=1)
    with pytest.raises(errors.InvalidParameter, match="prior is"):
        log().fit("PBM", prior=(-1, 1))
    with pytest.raises(errors.MissingColumn, match="needs a column 'query_id'"):
        ir.Impressions(pl.DataFrame(PAGE | {"click": [0, 1, 1, 0]}).drop("query_id")).fit("PBM")
    with pytest.raises(errors.InvalidParameter, match="cannot start from"):
        log().fit("PBM", start=log().fit("UBM"))
    with pytest.raises(errors.WrongType, match="Click models take a click log"):
        log().fit("PBM").evaluate(pl.DataFrame(PAGE))
    with pytest.raises(errors.InvalidParameter, match="by names 'doc_id'"):
        log().fit("PBM", by="doc_id")
    with pytest.raises(errors.MissingColumn, match="no column 'position'"):
        log().fit("PBM").simulate(pl.DataFrame(PAGE).drop("position"))
    with pytest.raises(errors.NotDefined, match="no data to draw from"):
        models.of_parameters("PBM", log().fit("PBM").parameters()).bootstrap()


def test_several_results_at_one_position_are_no_page() -> None:
    twice = log(position=[1, 1, 1, 1])
    grid = ir.Impressions(pl.DataFrame(PAGE | {"click": [1, 1, 0, 0], "position": [1] * 4}), policy="duplicates=trust")
    for source in (twice, grid):
        with pytest.raises(errors.InvalidValue, match="has 2 results, and none at position 2"):
            source.fit("UBM")
    with pytest.raises(errors.InvalidValue, match="2 result pages have positions that are not 1, 2"):
        log().fit("SDBN").simulate(pl.DataFrame(PAGE).with_columns(pl.col("position") - 1))


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: log(position=[1, 2**50, 1, 2]).fit("RCTR"), errors.InvalidValue, "a position of 1125899906842624"),
        (lambda: log().fit("PBM", fixed={"continuation": 0.5}), errors.InvalidParameter, "fixed names 'continuation'"),
        (lambda: log().fit("PBM", start="PBM"), errors.InvalidParameter, "cannot start from"),
        (lambda: log().fit("PBM", convention=["pyclick"]), errors.UnknownName, "convention is"),
        (lambda: log().fit("PBM").judgments(grades=[0.2, math.nan]), errors.InvalidParameter, "grades is"),
        (lambda: log().fit("PBM").simulate(log(), seed=-1), errors.InvalidParameter, "seed is -1"),
        (lambda: log().fit("PBM").bootstrap(5, seed="x"), errors.InvalidParameter, "seed is 'x'"),
        (lambda: log().fit("PBM").evaluate(log(), None), errors.UnknownName, "no measure None"),
        (lambda: log().rates(by="position", confidence="x"), errors.InvalidParameter, "confidence is 'x'"),
        (lambda: log().rates(by="position", shrinkage=math.nan), errors.InvalidParameter, "shrinkage is nan"),
        (
            lambda: models.of_parameters("RCTR", pl.concat([log().fit("RCTR").parameters()] * 2)),
            errors.DuplicateRows,
            "The ctr of position 1 has several values",
        ),
    ],
)
def test_what_cannot_be_meant_gets_words(call: Callable[[], object], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call()


@pytest.mark.parametrize("name", ["RCTR", "PBM", "SDBN"])
def test_click_rates_are_those_of_each_document(name: str) -> None:
    """Of documents that the model does not know, and of models without documents, each has a rate of its own."""
    train = log([0, 1, 1, 0])
    frame = pl.DataFrame(
        {
            "serp_id": [1, 2, 3, 4, 5],
            "query_id": [1, 1, 7, 7, 7],
            "doc_id": ["a", "b", "x", "x", "y"],
            "position": [1] * 5,
            "click": [1, 0, 1, 1, 0],
        }
    )
    model = train.fit(name)
    rates = {(q, d): model.evaluate(ir.Impressions(frame.filter(query_id=q, doc_id=d)), "CTRPrediction")["value"][0]
             for q, d in ((1, "a"), (1, "b"), (7, "x"), (7, "y"))}  # fmt: skip
    shown = {(1, "a"): 1, (1, "b"): 1, (7, "x"): 2, (7, "y"): 1}
    expected = math.sqrt(sum(n * rates[pair] ** 2 for pair, n in shown.items()) / 5)
    assert model.evaluate(ir.Impressions(frame), "CTRPrediction")["value"][0] == pytest.approx(expected)


def test_groups_are_fits_of_their_own(whole: ir.Impressions) -> None:
    frame = rows(every_pattern())
    for name in ("DRCTR", "SDBN", "UBM", "DBN", "CCM"):
        together = whole.fit(name, iterations=4, tolerance=0)
        for site in ("x", "y"):
            alone = ir.Impressions(frame.filter(pl.col("site") == site)).fit(name, iterations=4, tolerance=0)
            mine = together.parameters().filter(pl.col("site") == site, pl.col("status") != "prior")
            other = alone.parameters().filter(pl.col("status") != "prior")
            assert mine.height > 0
            assert mine["value"].to_list() == pytest.approx(other["value"].to_list(), abs=1e-12)


def test_grades_become_a_model() -> None:
    grades = pl.DataFrame({"query_id": [1, 1, 1], "doc_id": ["a", "b", "c"], "relevance": [0, 1, 3]})
    model = models.of_judgments("DBN", grades, noise=0.1)
    values = dict(model.parameters().filter(parameter="attraction").select("doc_id", "value").iter_rows())
    assert values == pytest.approx({"a": 0.1, "b": 0.1 + 0.9 / 7, "c": 1.0})
    pages = pl.DataFrame({"serp_id": [1] * 3, "query_id": [1] * 3, "doc_id": ["c", "b", "a"], "position": [1, 2, 3]})
    assert model.simulate(pages)["click"][0] == 1
    with pytest.raises(errors.NotDefined, match="not determine the examination of UBM"):
        models.of_judgments("UBM", grades)
