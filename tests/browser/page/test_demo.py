"""The demo collection in the page, as a person uses it."""

from __future__ import annotations

import time
from collections.abc import Callable

import polars as pl
import pytest

import ireval_frames as ir
from tests.browser.page.conftest import Opened

DEMO = "data/stdlib"


def test_means_of_the_demo_are_those_of_python(opened: Callable[..., Opened]) -> None:
    started = time.perf_counter()
    watched = opened()
    page = watched.page
    page.get_by_role("button", name="Example: rankings").click()
    page.get_by_text("lsa: run").wait_for()
    page.get_by_role("button", name="Evaluate").click()
    page.get_by_role("table").first.wait_for()
    # Seen with pytest -s: under 5 s on a machine that does nothing else.
    print(f"The first number after {time.perf_counter() - started:.1f} s, page load included.")  # noqa: T201
    rows = watched.query("SELECT run_id, measure, fsum(value) / count(value) FROM results GROUP BY ALL")
    qrels, runs = pl.read_parquet(f"{DEMO}/qrels.parquet"), pl.read_parquet(f"{DEMO}/runs.parquet")
    expected = {
        (r["run_id"], r["measure"]): r["value"]
        for r in ir.evaluate(qrels, runs, "nDCG@10 AP P@10").summary().to_dicts()
    }
    assert len(rows) >= 6
    for run, measure, value in rows:
        assert value == pytest.approx(expected[run, measure], abs=1e-12)
    assert {url.partition("/")[0] for url in watched.requests} == {"http:"}
    assert watched.messages == []
