"""`ireval relations` and `ireval links` on tables."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from tests.cli.commands import invoke, lines


def files(folder: Path, tables: tuple[pl.DataFrame, pl.DataFrame]) -> list[Path]:
    paths = [folder / "gold.csv", folder / "predicted.parquet"]
    tables[0].write_csv(paths[0])
    tables[1].write_parquet(paths[1])
    return paths


def test_relations(tmp_path: Path) -> None:
    """The columns of CSV are text, and positions are numbers all the same."""
    tables = ir.examples.relations()
    paths = files(tmp_path, tables)
    assert lines(invoke("relations", *paths, "F1 F1(match='boundary')")) == [
        "measure                value",
        "F1                    0.4000",
        "F1(match='boundary')  0.6000",
    ]
    # What is compared holds for the measures that do not say it.
    assert lines(invoke("relations", *paths, "F1 F1(match='head')", "--match", "boundary"))[1:] == [
        "F1(match='boundary')  0.6000",
        "F1(match='head')      0.8000",
    ]
    out = invoke("relations", *paths, "--counts", "--match", "entities", "--undirected", "spouse", "--format", "csv")
    expected = ir.Relations(*tables, undirected=["spouse"]).counts(match="entities")
    assert pl.read_csv(io.StringIO(out.stdout)).rows() == expected.rows()
    result = invoke("relations", *paths, "F1(match='head')", "--counts", "--report")
    assert result.exit_code == 2


def test_errors_write_options(tmp_path: Path) -> None:
    paths = files(tmp_path, ir.examples.events())
    result = invoke("relations", *paths, "F1")
    assert result.exit_code != 0
    assert "--column tail_type=their_name" in result.stderr
    paths = files(tmp_path, ir.examples.slots())
    result = invoke("links", *paths, "--doc", "query_id")
    assert "--on slot,value" in result.stderr


@pytest.mark.parametrize("where", [["linked"], ["type=PER", "type=ORG"]])
def test_links(tmp_path: Path, where: list[str]) -> None:
    tables = ir.examples.links()
    options = [part for text in where for part in ("--where", text)]
    out = invoke("links", *files(tmp_path, tables), "F1", "--on", "start,end,type", *options, "--format", "csv")
    chosen = "linked" if where == ["linked"] else {"type": ["PER", "ORG"]}
    expected = ir.Links(*tables, on=["start", "end", "type"], where=chosen).evaluate("F1").summary()["value"].item()
    assert pl.read_csv(io.StringIO(out.stdout))["value"].item() == pytest.approx(expected)
