"""`ireval collection-coverage`: its tables are those of Python, and what it prints is the same."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from ireval_frames.pools import collection_coverage
from tests.cli.commands import invoke

FILES = Path("data/formats/collections")
QRELS, DOCS = FILES / "time/TIME.REL", FILES / "npl/doc-text"


@pytest.fixture
def part(tmp_path: Path) -> Path:
    """The documents without the last one."""
    path = tmp_path / "doc-text"
    path.write_text(DOCS.read_text().rpartition("6\n")[0])
    return path


def test_tables(part: Path) -> None:
    coverage = collection_coverage(part, QRELS)
    text = {"query_id": pl.String, "doc_id": pl.String}
    for arguments, expected in (
        ((), coverage.summary()),
        (("-q",), coverage.per_query()),
        (("--dangling",), coverage.dangling()),
        (("--never-judged",), coverage.never_judged()),
    ):
        out = invoke("collection-coverage", QRELS, part, *arguments, "--format", "csv").stdout
        assert_frame_equal(pl.read_csv(io.StringIO(out), schema_overrides=text), expected, abs_tol=1e-9)
    assert invoke("collection-coverage", QRELS, part).stdout.strip() == str(coverage).strip()


def test_errors(part: Path) -> None:
    swapped = invoke("collection-coverage", part, QRELS)
    assert swapped.exit_code == 1
    assert "has judgments of TIME, and documents are read.\n  Read it: as judgments" in swapped.stderr
    both = invoke("collection-coverage", QRELS, part, "--dangling", "--per-query")
    assert both.exit_code == 2
