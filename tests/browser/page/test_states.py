"""The page over a whole visit: files chosen twice, tables that go, a class hierarchy, and values of one unit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from tests.browser.page.conftest import Opened
from tests.browser.page.test_results import evaluate

JUDGMENTS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\nq2 0 d3 1\n"
PARENTS = {"cat": "animal", "dog": "animal", "oak": "plant"}


def _run(*documents: str) -> str:
    return "".join(f"{q} Q0 {d} {i + 1} {10 - i} tag\n" for q in ("q1", "q2") for i, d in enumerate(documents))


def _choose(page: Any, folder: Path, **texts: str) -> None:
    paths = [folder / name.replace("__", ".") for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text)
    page.locator("input[type=file]").set_input_files(paths)
    page.locator("ul.files progress").first.wait_for(state="detached")
    page.get_by_role("button", name=f"Remove {paths[-1].name}", exact=True).wait_for()


def test_tables_that_come_twice_and_go(opened: Callable[..., Opened], tmp_path: Path) -> None:
    watched = opened(viewport={"width": 360, "height": 800})
    page = watched.page
    assert "nothing leaves this machine" in page.locator("header").inner_text()
    assert "Nothing has been evaluated yet." in page.locator("#results").inner_text()
    long = "a_run_with_a_long_name" * 6
    runs = {"one__run": _run("d1", "d2", "d3"), f"{long}__run": _run("d3", "d2", "d1"), "wrong__txt": "q1 0 d1\nq 1\n"}
    _choose(page, tmp_path, qrels__txt=JUDGMENTS, **runs)
    evaluate(watched, "nDCG@3 P@1")
    changed = page.get_by_text("The tables have changed since")
    assert changed.count() == 0
    # The name takes several lines, so that values stay in sight.
    assert page.get_by_role("cell", name=long).first.bounding_box()["width"] < 400
    # Files that are there are not read again; one that was mended is.
    (tmp_path / "wrong.txt").unlink()
    files = page.locator("ul.files > li")
    assert files.count() == 4
    page.locator("input[type=file]").set_input_files([tmp_path / "qrels.txt", tmp_path / "one.run"])
    page.get_by_text("one.run is here already.").wait_for()
    assert files.count() == 4
    page.get_by_role("button", name="Remove one.run").click()
    changed.wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="All of it as SQL").click()
    assert "read_csv('one.run'" in Path(download.value.path()).read_text("utf-8")
    evaluate(watched, "nDCG@3 P@1")
    changed.wait_for(state="detached")
    page.locator("#family").select_option("similarity")
    page.get_by_role("button", name="Evaluate", exact=True).click()
    page.get_by_text("Similarity needs two runs of the same queries").wait_for()
    assert watched.messages == []


def test_a_hierarchy_of_classes_and_one_unit(opened: Callable[..., Opened], tmp_path: Path) -> None:
    watched = opened()
    page = watched.page
    classes = ["cat", "dog", "oak", "cat", "oak"]
    labels = pl.DataFrame(
        {
            "run_id": ["a"] * 5 + ["b"] * 5,
            "item_id": [*range(5)] * 2,
            "label": classes * 2,
            "prediction": ["dog", "dog", "oak", "cat", "cat", *classes],
        }
    )
    hierarchy = "".join(f"{label},{parent}\n" for label, parent in PARENTS.items())
    _choose(page, tmp_path, labels__csv=labels.write_csv())
    page.get_by_role("textbox", name="Measures").fill("ICM")
    page.get_by_role("button", name="Evaluate", exact=True).click()
    page.get_by_text("ICM also reads a table of the kind hierarchy").wait_for()
    _choose(page, tmp_path, tree__csv=f"label,parent\n{hierarchy}")
    page.get_by_text("tree: classes and their parents, 3 rows").wait_for()
    evaluate(watched, "ICM Accuracy")
    expected = ir.Labels(labels, hierarchy=PARENTS).evaluate("ICM Accuracy").summary().sort("run_id", "measure")
    rows = watched.query("SELECT run_id, measure, value FROM summary ORDER BY ALL")
    assert [r[:2] for r in rows] == [[r, m] for r, m in expected.select("run_id", "measure").iter_rows()]
    assert [r[2] for r in rows] == pytest.approx(expected["value"].to_list(), abs=1e-12)
    # One unit has no test, which is said.
    assert "one_unit" in page.get_by_role("table", name="Against a").inner_text()
    assert watched.messages == []
