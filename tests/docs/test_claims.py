"""What pages claim in words is what the package, the tests and the records have."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from tests.contract import test_spark
from tests.reference.agreement import versions

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
# How often intervals hold: the page, the words around the number, and the study's method and what it is of.
COVERAGE = (
    ("exposure", "two groups that differ contain the true gap in {}", "exposure.gaps(), gap", "2 unlike groups"),
    ("exposure", "For four equal groups it is {}", "exposure.gaps(), gap", "4 equal groups"),
    (
        "recommendations",
        "of `CatalogCoverage` contain the expected value in {}",
        "CatalogCoverage@5 + percentile",
        "value",
    ),
    ("recommendations", "and those of `ItemGini` in {}", "ItemGini@5 + percentile", "value"),
    ("recommendations", "have a part of the bias ({}", "CatalogCoverage@5 + percentile", "difference"),
    ("recommendations", "have a part of the bias (0.79 and {}", "ItemGini@5 + percentile", "difference"),
    ("recommendations", "which has no such bias ({}", "ItemGini@5 + delta", "value"),
    ("recommendations", "which has no such bias (0.92, and {}", "ItemGini@5 + delta", "difference"),
    ("timings", "contain the true value in {}", "Latency(p= + compare + percentile", "min"),
    ("timings", "contain the true value in 0.97 to {}", "Latency(p= + compare + percentile", "max"),
    ("timings", "basic ones do in {}", "Latency(p= + compare + basic", "min"),
    ("timings", "basic ones do in 0.90 to {}", "Latency(p= + compare + basic", "max"),
)


def text(page: str) -> str:
    return (DOCS / f"{page}.md").read_text("utf-8")


def measured(method: str, of: str) -> float:
    """The coverage of the studies whose method has all of these words: of one, or the least or largest of several."""
    record = json.loads((DOCS / "coverage.json").read_text("utf-8"))
    rows = [row for row in record if all(word in row["method"] for word in method.split(" + "))]
    if of in ("min", "max"):
        return float({"min": min, "max": max}[of](row["measured"] for row in rows))
    (row,) = (row for row in rows if of in f"{row['of']} {row['sizes']}")
    return float(row["measured"])


@pytest.mark.parametrize("page, words, method, of", COVERAGE)
def test_intervals_hold_as_often_as_simulated(page: str, words: str, method: str, of: str) -> None:
    found = re.search(re.escape(words).replace(r"\{\}", r"(0\.\d+)"), text(page))
    assert found, f"docs/{page}.md lacks: {words}"
    assert abs(float(found[1]) - measured(method, of)) <= 0.0051


def test_spark_is_tested_for_all_families_but_points() -> None:
    assert {d.family for d in catalog.definitions()} - set(test_spark.FAMILIES) == {"points"}
    assert "all; those of points are not tested" in text("scale")
    assert "of every family but points" in text("spark")
    assert f"to {test_spark.TOLERANCE:.0e}" in text("scale")


def test_databases_that_are_run_and_that_are_not() -> None:
    rows = re.findall(r"^\| `\w+` \| (.*?) \| (.*?) \|", text("dialects"), re.MULTILINE)
    run, translated = (
        [name for name, by in rows if (by == "translated, not run") is not_run] for not_run in (False, True)
    )
    for names, end in ((run, "are tested"), (translated, "statements are translated but were never run")):
        sentence = f"{', '.join(names[:-1])} and {names[-1]} {end}"
        assert sentence in text("when_not"), sentence


def test_other_databases_run_all_families_but_text_answers() -> None:
    families = re.findall(r"^### (\w+)\n(.*?)(?=^###|\Z)", text("dialects"), re.MULTILINE | re.DOTALL)
    assert [family for family, of in families if "\nOn " not in of] == ["answers"]
    assert "| all but text answers |" in text("scale")


def test_extras_and_python() -> None:
    named = set(re.findall(r"`([\w-]+)`", re.search(r"Further extras are (.*)\.", text("start_python"))[1]))  # type: ignore[index]
    assert named | {"plots", "report"} == set(PROJECT["optional-dependencies"])
    python = f"Python {PROJECT['requires-python'].removeprefix('>=')} or newer"
    assert all(python in page for page in (text("start_python"), text("when_not"), text("README")))
    assert python in (ROOT / "README.md").read_text("utf-8")


def test_tools_are_described_in_the_versions_that_the_tests_compare() -> None:
    prose = text("peers").partition("<!--")[0]
    for tool, version in versions().items():
        for name in (tool, tool.replace("-", "_")):
            for found in re.findall(rf"(?<![\w-]){re.escape(name)} (\d[\w.]*\d)", prose):
                assert version.startswith(found), tool


def test_columns_of_resampled_results() -> None:
    labels = ir.Labels(pl.concat(ir.examples.labels().with_columns(run_id=pl.lit(run)) for run in "ab"))
    bootstrap = ir.resampling.bootstrap(labels, "Accuracy", n_resamples=20)
    results = {
        "bootstrap(…).table()": bootstrap.table(),
        "bootstrap(…).replicates()": bootstrap.replicates(),
        "bootstrap(…).compare()": bootstrap.compare("a"),
        "jackknife(…).table()": ir.resampling.jackknife(labels, "Accuracy").table(),
    }
    for name, frame in results.items():
        row = re.search(rf"^\| `{re.escape(name)}` \| (.*) \|$", text("results"), re.MULTILINE)
        assert row, name
        optional = {c for c in ("run_id", "by …") if c.removesuffix(" …") not in frame.columns}
        columns = [c.strip("[]") for c in re.findall(r"\[.*?\]|\w+", row[1])]
        assert frame.columns == [c for c in columns if c not in optional], name
