"""A store, and a report with its tables, as pages: what they show is what Python says of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from tests.browser.page.conftest import Opened

DEMO = Path("data/stdlib")
RUNS = ("bm25", "lsa", "tfidf")
Open = Callable[..., Opened]
Host = Callable[[Path], str]


def evaluation(*names: str, measures: str = "nDCG@10 AP") -> ir.Evaluation:
    runs = [DEMO / "runs" / f"{name}.txt" for name in names]
    return ir.evaluate(DEMO / "qrels.txt", runs, measures)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ir.Store:
    store = ir.Store(tmp_path_factory.mktemp("store") / "results")
    for day, name in enumerate(RUNS):
        at = datetime(2026, 3, 1 + day, tzinfo=UTC)
        store.add(evaluation(name), collection="stdlib", tags={"model": name, "k1": 1.2}, at=at)
    # Of other judgments: it is ranked apart, and not compared.
    qrels = pl.read_parquet(DEMO / "qrels.parquet").filter(pl.col("doc_id").hash(0) % 10 < 9)
    run = pl.read_parquet(DEMO / "runs.parquet").filter(run_id="bm25").with_columns(run_id=pl.lit("old"))
    store.add(ir.evaluate(qrels, run, "nDCG@10"), collection="stdlib", at=datetime(2025, 1, 1, tzinfo=UTC))
    counts = evaluation("bm25", "lsa", measures="NumRelRet")
    store.add(counts, collection="other", at=datetime(2025, 1, 1, tzinfo=UTC))
    return store


@pytest.fixture(scope="module")
def page(store: ir.Store, built: Path, hosted: Host, tmp_path_factory: pytest.TempPathFactory) -> str:
    return hosted(store.page(tmp_path_factory.mktemp("page") / "out", page=built))


def shown(watched: Opened, section: str, caption: str) -> list[dict[str, str]]:
    """The rows of a table that a person sees."""
    table = watched.page.locator(f"#{section} table", has=watched.page.locator("caption", has_text=caption)).first
    # At once: the table may be drawn anew in the meantime.
    head, *rows = table.evaluate("t => [...t.rows].map(r => [...r.cells].map(c => c.innerText))")
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_its_leaderboard_is_that_of_the_store(store: ir.Store, page: str, opened: Open) -> None:
    watched = opened(page)
    rows = shown(watched, "leaderboard", "The last value of every run")
    board = store.leaderboard("stdlib", "nDCG@10").collect()
    expected = [(r["run_id"], str(r["rank"]), f"{r['value']:.4f}") for r in board.to_dicts()]
    assert [(r["run_id"], r["rank"], r["nDCG@10"]) for r in rows] == expected
    assert [r["differs"] for r in rows] == ["–", "–", "–", "judgments"]
    assert watched.messages == []


def test_values_comparisons_and_history(store: ir.Store, page: str, opened: Open) -> None:
    watched = opened(page)
    values = store.values(["nDCG@10", "AP"], runs=RUNS, collection="stdlib").collect()
    expected = values.select("measure", "run_id", "unit_id", "value").sort(pl.all())
    actual = watched.query("SELECT measure, run_id, unit_id, value FROM results ORDER BY ALL")
    assert [row[:3] for row in actual] == [list(row[:3]) for row in expected.rows()]
    assert [row[3] for row in actual] == pytest.approx([row[3] for row in expected.rows()], abs=1e-15)
    means = {(r["run_id"], m): r[m] for r in shown(watched, "results", "Means") for m in ("nDCG@10", "AP")}
    assert means["lsa", "AP"] == f"{store.leaderboard('stdlib', 'AP').collect()['value'][0]:.4f}"
    shown(watched, "results", "Against bm25")
    compared = watched.query("SELECT p_value, difference FROM comparison WHERE measure = 'AP' AND system = 'lsa'")
    row = store.compare("bm25", "lsa", "AP").table().row(0, named=True)
    assert compared == [[pytest.approx(row["p_value"], abs=1e-9), pytest.approx(row["difference"], abs=1e-12)]]
    history = shown(watched, "history", "nDCG@10 on every occasion")
    assert [r["run_id"] for r in history] == store.history("nDCG@10", collection="stdlib").collect()["run_id"].to_list()
    conditions = "SELECT count(DISTINCT part) FROM conditions JOIN occasions USING (evaluation_id)"
    assert watched.query(f"{conditions} WHERE collection = 'stdlib'") == [[2]]
    assert watched.messages == []


def test_values_are_aggregated_as_they_were_stored(store: ir.Store, page: str, opened: Open) -> None:
    watched = opened(page)
    watched.page.get_by_label("Collection").select_option("other")
    watched.page.locator("#results th", has_text="NumRelRet").first.wait_for()
    assert watched.query("SELECT DISTINCT measure FROM summary") == [["NumRelRet"]]
    expected = store.leaderboard("other").collect().sort("run_id")["value"].to_list()
    assert [v for (v,) in watched.query("SELECT value FROM summary ORDER BY run_id")] == expected


def test_families_and_groups_are_chosen_apart(built: Path, hosted: Host, opened: Open, tmp_path: Path) -> None:
    store = ir.Store(tmp_path / "results")
    qrels, runs = pl.read_parquet(DEMO / "qrels.parquet"), pl.read_parquet(DEMO / "runs.parquet")
    two = runs.filter(pl.col("run_id").is_in(["bm25", "lsa"]))
    lang = pl.when(pl.col("query_id").hash(0) % 2 == 0).then(pl.lit("en")).otherwise(pl.lit("de"))
    queries = qrels.select("query_id").unique().with_columns(lang=lang)
    # The groups are of older judgments than the whole, and are compared all the same.
    older = ir.evaluate(qrels.filter(pl.col("doc_id").hash(0) % 10 < 9), two, "AP", by=["lang"], queries=queries)
    store.add(older, at=datetime(2025, 1, 1, tzinfo=UTC))
    store.add(ir.evaluate(qrels, two, "AP nDCG@10"), at=datetime(2026, 1, 1, tzinfo=UTC))
    # Labels of one system, which has no name.
    store.add(ir.Labels(ir.examples.labels()).evaluate("Accuracy"), at=datetime(2026, 2, 1, tzinfo=UTC))
    watched = opened(hosted(store.page(tmp_path / "out", page=built)))
    assert [r["Accuracy"] for r in shown(watched, "leaderboard", "by Accuracy")] == ["0.6250"]
    assert shown(watched, "results", "Accuracy of every unit") == [{"unit_id": "", "(without a name)": "0.6250"}]
    assert watched.page.locator("#results").get_by_text("A comparison needs").is_visible()
    watched.page.get_by_label("Family").select_option("ranking")
    shown(watched, "results", "Against bm25")
    assert watched.query("SELECT count(*) FROM comparison") == [[2]]
    watched.page.get_by_label("Group").select_option(label="lang = de")
    shown(watched, "leaderboard", "by AP")
    watched.page.locator("#results .units .number", has_text="lsa").wait_for()
    watched.page.locator("#history tbody tr").nth(1).wait_for()
    expected = {r["run_id"]: f"{r['value']:.4f}" for r in older.summary().filter(lang="de").to_dicts()}
    watched.page.locator("#results td", has_text=expected["lsa"]).first.wait_for()
    assert {r["run_id"]: r["AP"] for r in shown(watched, "results", "Means")} == expected
    # What was compared before is not offered as what is shown now.
    watched.page.get_by_label("Family").select_option("labels")
    watched.page.locator("#results").get_by_text("A comparison needs").wait_for()
    watched.page.locator("#results .units", has_text="(without a name)").wait_for()
    assert watched.query("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'comparison'") == [[0]]
    assert watched.page.get_by_role("button", name="Comparison as CSV").count() == 0
    assert watched.messages == []


def test_sql_is_that_of_the_store(store: ir.Store, page: str, opened: Open) -> None:
    watched = opened(page)
    for query in (
        "SELECT tags->>'model' AS model, tags->>'$.k1' AS k1 FROM occasions ORDER BY ALL",
        "SELECT run_id, value FROM history('AP') ORDER BY ALL",
        "SELECT unit_id, difference FROM diff('bm25', 'lsa', 'AP') ORDER BY ALL LIMIT 5",
        "SELECT date_trunc('day', made_at)::DATE::VARCHAR AS day, count(*) FROM occasions GROUP BY ALL ORDER BY ALL",
    ):
        assert watched.query(query) == [list(row) for row in store.sql(query).rows()], query


def test_tables_are_unfolded_and_asked(page: str, opened: Open) -> None:
    watched = opened(page)
    watched.page.locator("#tables summary", has_text="occasions").click()
    watched.page.locator("#tables table").first.wait_for()
    watched.page.locator("#console textarea").fill("SELECT count(*) AS n FROM occasions")
    watched.page.get_by_role("button", name="Run", exact=True).click()
    watched.page.locator("#console td").first.wait_for()
    assert watched.page.locator("#console td").all_inner_texts() == ["5"]


def test_an_empty_store(built: Path, hosted: Host, opened: Open, tmp_path: Path) -> None:
    watched = opened(hosted(ir.Store(tmp_path / "results").page(tmp_path / "out", page=built)))
    watched.page.get_by_text("The store holds no evaluation.").wait_for()
    assert watched.query("SELECT count(*) FROM evaluations") == [[0]]
    assert watched.messages == []


def test_a_table_that_is_missing_or_damaged_is_named(built: Path, hosted: Host, opened: Open, tmp_path: Path) -> None:
    folder = ir.Store(tmp_path / "results").page(tmp_path / "out", page=built)
    address, table = hosted(folder), folder / "data" / "tables" / "00.arrow.gz"
    packed = table.read_bytes()
    for content in (packed[: len(packed) // 2], b"<!doctype html>"):
        table.write_bytes(content)
        assert "00.arrow.gz is damaged: " in opened(address).page.get_by_role("alert").inner_text()
    table.unlink()
    assert "00.arrow.gz cannot be read: 404" in opened(address).page.get_by_role("alert").inner_text()


def test_values_of_all_types(built: Path, hosted: Host, opened: Open, tmp_path: Path) -> None:
    at = datetime(2026, 1, 2, 3, 4, 5, 250_000, tzinfo=UTC)
    values = {
        "time": at.time(),
        "day": at.date(),
        "times": [at],
        "duration": timedelta(days=1, seconds=3),
        "struct": {"a": 1, "b": [True]},
        "nothing": None,
        "large": 2**62,
    }
    frame = pl.DataFrame({name: [value] for name, value in values.items()}).with_columns(
        longer=pl.lit(5, pl.Int128), whole=pl.lit(at.replace(microsecond=0))
    )
    watched = opened(hosted(ir.report(frame, tmp_path / "r", interactive=True, page=built)) + "sql.html")
    watched.page.get_by_role("button", name="Run", exact=True).click()
    assert list(shown(watched, "console", "Rows")[0].values()) == [
        "03:04:05.25",
        "2026-01-02",
        '["2026-01-02 03:04:05.250"]',
        "24:00:03",
        '{"a":1,"b":[true]}',
        "–",
        "4611686018427387904",
        "5",
        "2026-01-02 03:04:05",
    ]
    odd = "SELECT INTERVAL (-14) MONTH, INTERVAL 0 SECOND"
    assert watched.query(odd) == [["-1 year -2 months", "00:00:00"]]
    assert watched.messages == []


def test_a_report_has_its_tables(built: Path, hosted: Host, opened: Open, tmp_path: Path) -> None:
    ev = evaluation(*RUNS)
    folder = ir.report(ev, tmp_path / "report", interactive=True, page=built)
    address = hosted(folder)
    watched = opened(address + "sql.html")
    rows = ev.per_unit().select("measure", "run_id", "query_id", "value").sort(pl.all()).rows()
    actual = watched.query("SELECT measure, run_id, unit_id, value FROM results ORDER BY ALL")
    assert actual == [list(row) for row in rows]
    shown(watched, "results", "Against bm25")
    assert watched.query("SELECT count(*) FROM pairs")[0][0] >= 6
    assert watched.messages == []
    watched.page.goto(address)
    watched.page.get_by_role("link", name="Query the tables in SQL").click()
    watched.page.locator("main[aria-busy=false]").wait_for()
    assert watched.page.title() == "3 systems by nDCG@10, AP"
