"""What the page shows is what Python gives: means, comparisons, pictures, and what is taken away."""

from __future__ import annotations

import json
import math
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from tests.browser.page.conftest import Opened
from tests.browser.page.tables import load
from tests.macros.cases import items, rankings

DEMO = Path("data/stdlib")
MEASURES = "nDCG@10 AP NumRel FallOut@100"
RUNS = ["bm25", "lsa", "tfidf"]


def evaluate(watched: Opened, measures: str) -> None:
    """Writes measures and evaluates them, as a person does."""
    page = watched.page
    page.get_by_role("textbox", name="Measures").fill(measures)
    page.get_by_role("button", name="Evaluate", exact=True).click()
    page.get_by_role("button", name="All of it as SQL").wait_for()


@pytest.fixture(scope="module")
def demo() -> Any:
    qrels, runs = pl.read_parquet(DEMO / "qrels.parquet"), pl.read_parquet(DEMO / "runs.parquet")
    return ir.evaluate(qrels, runs.filter(pl.col("run_id").is_in(RUNS)), MEASURES)


@pytest.fixture
def evaluated(opened: Callable[..., Opened]) -> Opened:
    """The page with the demo's values."""
    watched = opened()
    watched.page.get_by_role("button", name="Example: rankings").click()
    watched.page.get_by_text("lsa: run").wait_for()
    evaluate(watched, MEASURES)
    return watched


def alike(one: Any, other: Any, tolerance: float = 1e-12) -> bool:
    """Whether values are the same, numbers but for a tolerance."""
    if isinstance(one, float | int) and isinstance(other, float | int) and not isinstance(one, bool):
        return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(v, other[k], tolerance) for k, v in one.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(alike(a, b, tolerance) for a, b in zip(one, other, strict=True))
    return bool(one == other)


def test_means_and_comparison_are_those_of_python(evaluated: Opened, demo: Any) -> None:
    expected = demo.summary().select("run_id", "measure", "value", "n_units", "n_undefined").sort("run_id", "measure")
    rows = evaluated.query("SELECT run_id, measure, value, n_units, n_undefined FROM summary ORDER BY run_id, measure")
    assert alike(rows, expected.rows())
    columns = [
        "measure", "system", "n", "mean", "difference", "wins", "ties", "losses", "statistic", "df", "p_value",
        "p_adjusted", "status",
    ]  # fmt: skip
    table = ir.compare(demo, baseline="bm25").table().select(columns).sort("measure", "system")
    rows = evaluated.query(f"SELECT {', '.join(columns)} FROM comparison ORDER BY measure, system")
    assert alike(rows, table.rows())
    shown = evaluated.page.get_by_role("table", name="Means over units").inner_text().split("\n")
    values = {(r, m): v for r, m, v in expected.select("run_id", "measure", "value").iter_rows()}
    counts = [
        [f"{values[r, m]:,.0f}" if m == "NumRel" else f"{values[r, m]:.4f}" for m in MEASURES.split()] for r in RUNS
    ]
    assert [line.split("\t") for line in shown[1:]] == [
        ["run_id", *MEASURES.split(), "n_units"],
        *([run, *own, "101"] for run, own in zip(RUNS, counts, strict=True)),
    ]
    assert evaluated.messages == []


PICTURES: dict[str, Callable[[Any], Any]] = {
    "systems": lambda ev: ir.plots.systems(ev, theme="page"),
    "distribution": lambda ev: ir.plots.distribution(ev, "AP", theme="page"),
    "units": lambda ev: ir.plots.units(ev, "AP", theme="page"),
    "matrix": lambda ev: ir.plots.matrix(ev, "AP", theme="page"),
    "effects": lambda ev: ir.plots.effects(ev, baseline="bm25", theme="page"),
    "differences": lambda ev: ir.plots.differences(ev, "AP", system="tfidf", baseline="bm25", theme="page"),
    "scatter": lambda ev: ir.plots.scatter(ev, "AP", system="tfidf", baseline="bm25", theme="page"),
}


def _inlined(specification: dict[str, Any]) -> dict[str, Any]:
    """The specification with its tables where they are used."""
    tables = specification.pop("datasets")

    def inlined(value: Any) -> Any:
        if isinstance(value, dict):
            name = value.get("name")
            return tables[name] if set(value) == {"name"} else {k: inlined(v) for k, v in value.items()}
        return [inlined(v) for v in value] if isinstance(value, list) else value

    out: dict[str, Any] = inlined(specification)
    return out


def _different(one: Any, other: Any, place: str = "") -> Iterator[str]:
    """Where two specifications differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one.keys() | other.keys():
            yield from _different(one.get(key), other.get(key), f"{place}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            yield from _different(a, b, f"{place}[{i}]")
    elif not alike(one, other, 1e-9):
        yield f"{place}: {str(one)[:200]} for {str(other)[:200]}"


def _drawn(watched: Opened, name: str, measure: str) -> dict[str, Any]:
    """The specification of a picture that a person chooses."""
    page = watched.page
    page.locator("#picture").select_option(name)
    page.locator(f"figure[data-picture={name}] svg").wait_for()
    if page.locator("#picture-measure").is_visible():
        page.locator("#picture-measure").select_option(measure)
        page.locator(f"figure[data-picture={name}] .picture[aria-label*={measure}]").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Picture as Vega-Lite").click()
    specification: dict[str, Any] = json.loads(Path(download.value.path()).read_text("utf-8"))
    return specification


def test_pictures_are_those_of_python(evaluated: Opened, demo: Any) -> None:
    differences = []
    for name, picture in PICTURES.items():
        actual, expected = _drawn(evaluated, name, "AP"), json.loads(picture(demo).to_json())
        differences += [f"{name}: {d}" for d in _different(_inlined(actual), _inlined(expected))]
    assert differences == []
    assert evaluated.messages == []


MANY: dict[str, Callable[[Any], Any]] = {
    "systems": lambda comparison: ir.plots.systems(comparison, theme="page"),
    "distribution": lambda comparison: ir.plots.distribution(comparison, "AP", theme="page"),
    "units": lambda comparison: ir.plots.units(comparison, "AP", theme="page"),
    "matrix": lambda comparison: ir.plots.matrix(comparison, "AP", theme="page"),
    "differences": lambda comparison: ir.plots.differences(
        comparison, "AP", system="run5", baseline="run0", theme="page"
    ),
    "scatter": lambda comparison: ir.plots.scatter(comparison, "AP", system="run5", baseline="run0", theme="page"),
}


def test_pictures_of_many_units_and_systems(opened: Callable[..., Opened]) -> None:
    """More units than marks, more systems than colours, undefined values, and a measure of which less is better."""
    draw, watched = random.Random(3), opened()
    rows = [
        (measure, f"run{r}", f"q{q}", None if draw.random() < 0.01 else draw.random() ** (1 + r / 5))
        for measure in ("AP", "Cost")
        for r in range(6)
        for q in range(1_700)
    ]
    values = pl.DataFrame(rows, ["measure", "run_id", "query_id", "value"], orient="row")
    load(watched.page, {"results": values})
    watched.page.evaluate(
        """() => { ireval.measures = [["AP", "higher"], ["Cost", "lower"]].map(([text, direction]) =>
          ({text, direction, aggregation: "mean"})); ireval.changed("results"); }"""
    )
    watched.page.get_by_role("button", name="Means as CSV").wait_for()
    comparison = ir.compare(values, lower_is_better=["Cost"], missing="intersect")
    differences = []
    for name, picture in MANY.items():
        actual, expected = _drawn(watched, name, "AP"), json.loads(picture(comparison).to_json())
        differences += [f"{name}: {d}" for d in _different(_inlined(actual), _inlined(expected))][:4]
    assert differences == []


def test_the_text_of_sql_gives_the_same_beside_the_files(evaluated: Opened, demo: Any, tmp_path: Path) -> None:
    with evaluated.page.expect_download() as download:
        evaluated.page.get_by_role("button", name="All of it as SQL").click()
    text = Path(download.value.path()).read_text("utf-8")
    for file in (DEMO / "qrels.txt", *(DEMO / "runs" / f"{run}.txt" for run in RUNS)):
        shutil.copy(file, tmp_path / file.name)
    con = duckdb.connect(config={"threads": 1, "file_search_path": str(tmp_path)})
    con.execute(text).fetchall()
    assert con.sql("FROM comparison").fetchall()
    rows = con.sql("SELECT run_id, measure, value FROM summary ORDER BY ALL").fetchall()
    assert alike(rows, demo.summary().select("run_id", "measure", "value").sort("run_id", "measure").rows())


WRITERS: dict[str, Callable[[pl.DataFrame, Path], object]] = {
    "csv": lambda frame, path: frame.write_csv(path),
    "tsv": lambda frame, path: frame.write_csv(path, separator="\t"),
    "jsonl": lambda frame, path: frame.write_ndjson(path),
    "parquet": lambda frame, path: frame.write_parquet(path),
}


@pytest.mark.parametrize("ending", WRITERS)
def test_the_text_of_sql_reads_tables_of_each_format(
    opened: Callable[..., Opened], tmp_path: Path, ending: str
) -> None:
    watched, labels = opened(), items(["1", "2", "3"]).drop("cluster_id", "score")
    path = tmp_path / f"it's judged.{ending}"
    WRITERS[ending](labels, path)
    watched.page.locator("input[type=file]").set_input_files(path)
    watched.page.get_by_text("50 rows").or_(watched.page.get_by_text("100 rows")).first.wait_for()
    evaluate(watched, "Accuracy MCC")
    with watched.page.expect_download() as download:
        watched.page.get_by_role("button", name="All of it as SQL").click()
    con = duckdb.connect(config={"threads": 1, "file_search_path": str(tmp_path)})
    con.execute(Path(download.value.path()).read_text("utf-8")).fetchall()
    rows = con.sql("SELECT run_id, measure, value, n_units FROM summary ORDER BY ALL").fetchall()
    expected = ir.Labels(labels, unit="unit_id").evaluate("Accuracy MCC").summary()
    assert alike(rows, expected.select("run_id", "measure", "value", "n_units").sort(pl.all()).rows())


def test_tables_are_taken_away_with_all_digits(evaluated: Opened, demo: Any) -> None:
    expected = demo.summary().select("run_id", "measure", "value").sort("run_id", "measure")
    for name, read in (("CSV", pl.read_csv), ("Parquet", pl.read_parquet)):
        with evaluated.page.expect_download() as download:
            evaluated.page.get_by_role("button", name=f"Means as {name}").click()
        frame = read(download.value.path()).select("run_id", "measure", "value").sort("run_id", "measure")
        assert alike(frame.rows(), expected.rows())


def test_undefined_values_and_classes(opened: Callable[..., Opened]) -> None:
    watched, labels = opened(), items(["yes", "no"]).filter((pl.col("unit_id") == "a") | (pl.col("label") == "no"))
    load(watched.page, {"judged": labels}, {"judged": "labels"})
    page = watched.page
    page.get_by_role("textbox", name="Measures").wait_for()
    page.get_by_label("Positive class").select_option("no")
    page.get_by_role("textbox", name="Measures").fill("Recall F1 MCC")
    page.get_by_role("button", name="Evaluate", exact=True).click()
    page.get_by_text("n_undefined counts").wait_for()
    rows = watched.query("SELECT run_id, measure, value, n_units, n_undefined FROM summary ORDER BY ALL")
    ev = ir.Labels(labels, unit="unit_id", positive="no").evaluate("Recall F1 MCC")
    assert alike(
        rows, ev.summary().select("run_id", "measure", "value", "n_units", "n_undefined").sort(pl.all()).rows()
    )


def test_common_measures_at_once(opened: Callable[..., Opened]) -> None:
    watched, (qrels, run) = opened(), rankings()
    load(watched.page, {"judged": qrels, "bm": run}, {"judged": "qrels", "bm": "run"})
    watched.page.get_by_role("button", name="Common measures at once").click()
    table = watched.page.get_by_role("table", name="Common measures")
    table.wait_for()
    assert "Judged@10" in table.inner_text()
