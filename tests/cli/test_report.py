"""`ireval report`: its page is that of Python, and what cannot be reported is an error."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from tests.cli.commands import invoke
from tests.reporting.cases import blank_drawings, hostile_store, rankings
from tests.reporting.reading import Reader


def test_the_page_is_that_of_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blank_drawings(monkeypatch)
    qrels, run = rankings(("a", "b"))
    judged, a, b = (str(tmp_path / name) for name in ("qrels.csv", "a.csv", "b.csv"))
    qrels.write_csv(judged)
    for name, path in (("a", a), ("b", b)):
        run.filter(pl.col("run_id") == name).drop("run_id").write_csv(path)
    page = tmp_path / "x.html"
    done = invoke("report", judged, a, b, "-m", "RR", "--baseline", "a", "--title", "T", "-o", page)
    assert done.exit_code == 0, done.output
    command = f"ireval report {judged} {a} {b} -m RR --baseline a"
    expected = ir.report(
        ir.evaluate(judged, [a, b], "RR"), tmp_path / "y.html", baseline="a", title="T", command=command
    )
    texts = [Reader(path.read_text("utf-8")) for path in (page, expected)]
    assert texts[0].finding == texts[1].finding
    assert [t.rows for t in texts[0].tables] == [t.rows for t in texts[1].tables]
    assert ["command", command] in texts[0].table("Versions and command").rows


def test_a_baseline_that_is_not_there_is_reported(tmp_path: Path) -> None:
    qrels, run = rankings(("a", "b"))
    qrels.write_csv(tmp_path / "q.csv")
    run.write_csv(tmp_path / "r.csv")
    done = invoke("report", tmp_path / "q.csv", tmp_path / "r.csv", "-m", "RR", "--baseline", "c", "-o", "x.html")
    assert done.exit_code == 2
    assert "'c'" in done.stderr
    assert not Path("x.html").exists()


def test_a_store_is_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blank_drawings(monkeypatch)
    store = hostile_store(tmp_path)
    page = tmp_path / "x.html"
    done = invoke("store", "report", "--store", store.path, "-o", page)
    assert done.exit_code == 0, done.output
    assert Reader(page.read_text("utf-8")).finding == Reader(ir.report(store, page).read_text("utf-8")).finding
    done = invoke("store", "report", "--store", tmp_path / "none", "-o", tmp_path / "y.html")
    assert done.exit_code == 1
    assert not (tmp_path / "y.html").exists()


def test_pictures_answer_on_request(tmp_path: Path) -> None:
    qrels, run = rankings(("a",), 3)
    qrels.write_csv(tmp_path / "q.csv")
    run.write_csv(tmp_path / "r.csv")
    page = tmp_path / "x.html"
    done = invoke("report", tmp_path / "q.csv", tmp_path / "r.csv", "-m", "RR", "--interactive", "-o", page)
    assert done.exit_code == 0, done.output
    text = page.read_text("utf-8")
    assert text.count('<script type="module">') == 1
    (policy,) = (a["content"] for _, a in Reader(text).tags if a.get("http-equiv") == "Content-Security-Policy")
    assert "script-src 'sha256-" in policy


def test_a_store_is_an_interactive_page(tmp_path: Path) -> None:
    store = ir.Store(tmp_path / "results")
    for day in (1, 2):
        store.add(ir.evaluate(*rankings(("a", "b")), "RR"), at=datetime(2026, 1, day, tzinfo=UTC))
    page = tmp_path / "live.html"
    done = invoke("store", "report", "--store", store.path, "--interactive", "-o", page)
    assert done.exit_code == 0, done.output
    assert "<script" in page.read_text("utf-8")
    refused = invoke("store", "report", "--store", store.path, "-o", tmp_path / "folder")
    assert refused.exit_code == 2
    assert "--interactive" in refused.stderr
