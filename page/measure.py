"""How large a run the page evaluates: seconds and memory of the tab, by the number of rows of a run of TREC's lines.

make page, then python -m page.measure 5 20 (millions of rows)
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl
from playwright.sync_api import Error, sync_playwright

from tests.browser import finding
from tests.browser.page.conftest import BUILT, Opened, served

MEASURES = "nDCG@10 AP P@10 RR RBP"
OF_A_QUERY = 1000


def write(folder: Path, millions: float) -> tuple[Path, Path]:
    """Judgments of 20 documents of a query, and a run with a thousand each, written in parts of 100 queries."""
    random = np.random.default_rng(1)
    run, qrels = folder / "large.run", folder / "qrels.txt"
    with run.open("wb") as of_run, qrels.open("wb") as of_qrels:
        for start in range(0, int(millions * 1000), 100):
            queries = np.repeat(np.arange(start, min(start + 100, int(millions * 1000))), OF_A_QUERY)
            ranks = np.tile(np.arange(1, OF_A_QUERY + 1), len(queries) // OF_A_QUERY)
            part = pl.DataFrame({"query": queries, "rank": ranks}).with_columns(
                pl.lit("Q0").alias("Q0"),
                pl.format("msmarco-{}", pl.Series(random.integers(10**6, size=len(queries))) * 9 + pl.col("rank") % 9)
                .alias("doc"),
                (30 - pl.col("rank") / 50 + pl.Series(random.random(len(queries)) / 100)).round(6).alias("score"),
                pl.lit("bm25").alias("tag"),
            ).unique(["query", "doc"], maintain_order=True)  # fmt: skip
            part.select("query", "Q0", "doc", "rank", "score", "tag").write_csv(
                of_run, separator=" ", include_header=False
            )
            judged = part.filter(pl.col("rank") % 50 == 1).with_columns(grade=pl.col("rank") % 3)
            judged.select("query", pl.lit("0"), "doc", "grade").write_csv(of_qrels, separator=" ", include_header=False)
    return qrels, run


def renderer() -> Path:
    """The tab's process: of those that draw pages, the one with the most memory."""
    processes = [p for p in Path("/proc").glob("[0-9]*") if b"--type=renderer" in _read(p / "cmdline")]
    return max(processes, key=lambda p: _status(p, "VmHWM"))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _status(process: Path, name: str) -> int:
    """A figure of a process in kB."""
    lines = _read(process / "status").decode().splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith(name)), 0)


def say(text: str) -> None:
    """Writes a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def measure(millions: float) -> None:
    """Reads and evaluates a run of so many rows, and prints what that took."""
    server = served(BUILT)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        paths = write(Path(folder), millions)
        browser = playwright.chromium.launch(executable_path=finding.chromium(), args=[*finding.OPTIONS])
        page = Opened(browser.new_page(), f"http://127.0.0.1:{server.server_port}/").page
        page.set_default_timeout(3_600_000)
        size = sum(path.stat().st_size for path in paths) / 1e6
        start = time.perf_counter()
        try:
            page.locator("input[type=file]").set_input_files([str(path) for path in paths])
            page.get_by_text("large: run").wait_for()
            read = time.perf_counter() - start
            memory = _status(renderer(), "VmHWM") / 1024
            say(f"{millions} million rows, {size:.0f} MB: read in {read:.0f} s, {memory:.0f} MB")
            page.get_by_role("textbox", name="Measures").fill(MEASURES)
            page.get_by_role("button", name="Evaluate").click()
            page.locator("#results table, #measures [role=alert]:not(:empty)").first.wait_for()
            values = page.evaluate("ireval.database.query('SELECT measure, value FROM summary').then(r => r.rows)")
            seconds = time.perf_counter() - start - read
            say(f"  five measures in {seconds:.0f} s, {_status(renderer(), 'VmHWM') / 1024:.0f} MB: {values}")
        except Error as error:
            say(f"{millions} million rows: {str(error)[:300]}")
            say(page.locator("main").inner_text()[:2000])
        browser.close()
    server.shutdown()
    server.server_close()


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        measure(float(argument))
