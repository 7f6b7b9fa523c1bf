"""Stores of every format so far are read, and what was in them is still what it was."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.store.tables import FORMAT, TABLES
from tests.store.cases import QRELS, TOPICS, run

EXAMPLES = Path(__file__).parent / "examples"
# What each example holds: the id, and the values of nDCG@2 of one run and the other.
EXPECTED = {1: ("62ffcae99eb4c62a", [1.0, 0.6309297535714574, 0.0, 0.3800937667159343, 1.0, 0.0])}


def example_store(path: Path) -> str:
    """The example of the present format: `python -m tests.store.test_format` writes it once."""
    store = ir.Store(path)
    runs = pl.concat([run("one"), run("two", -5.0)])
    ev = ir.evaluate(QRELS, runs, "nDCG@2 RR", queries=TOPICS, by="lang")
    at = datetime(2026, 11, 23, tzinfo=UTC)
    added = store.add(ev, collection="c", tags={"k1": 1.2}, at=at)
    store.tag("main", added)
    store.add(ir.evaluate(QRELS, runs, "RR").compare("one"), at=at)
    return added


@pytest.mark.parametrize("version", range(1, FORMAT + 1))
def test_an_older_store_is_read(tmp_path: Path, version: int) -> None:
    shutil.copytree(EXAMPLES / f"format_{version}", tmp_path / "s")
    store, (added, values) = ir.Store(tmp_path / "s"), EXPECTED[version]
    assert store.check().is_empty()
    assert store.find("main") == added
    actual = store.values("nDCG@2").sort("run_id", "unit_id").collect()
    assert actual["value"].to_list() == values
    for name, table in TABLES.items():
        assert store.table(name).collect().schema == table.schema
        assert store.sql(f'FROM "{name}"').height == store.table(name).collect().height
    assert store.history("RR").collect()["made_at"].unique().to_list() == [datetime(2026, 11, 23, tzinfo=UTC)]


def test_the_same_evaluation_has_the_same_id_in_all_releases(tmp_path: Path) -> None:
    assert example_store(tmp_path / "s") == EXPECTED[FORMAT][0]


if __name__ == "__main__":
    example_store(EXAMPLES / f"format_{FORMAT}")
