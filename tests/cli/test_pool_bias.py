"""`ireval pool-bias`: its tables are those of Python, and errors name the option to write."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from tests.cli.commands import invoke


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pool")
    qrels, runs = ir.examples.pooled()
    runs.select("run_id", "team").unique().sort("run_id").write_csv(folder / "teams.csv")
    runs.select("run_id", pl.lit("x").alias("y"), "team").unique().write_csv(folder / "wide.csv")
    qrels.write_csv(folder / "qrels.csv")
    runs.drop("team").write_csv(folder / "runs.csv")
    runs.filter(pl.col("run_id") == "a").with_columns(run_id=pl.lit("new")).drop("team").write_csv(folder / "new.csv")
    return folder


def test_tables(folder: Path) -> None:
    qrels, runs, new = (str(folder / f"{name}.csv") for name in ("qrels", "runs", "new"))
    teams = pl.read_csv(folder / "teams.csv")
    groups = ("--groups", folder / "teams.csv")
    bias = ir.pool_bias(qrels, runs, "AP P@2", group=teams, depth=3)
    alone = ir.pool_bias(qrels, runs, "AP P@2", depth=3)
    for arguments, expected in (
        (groups, bias.table()),
        (("--groups", folder / "wide.csv", "--group", "team"), bias.table()),
        ((*groups, "--unique"), bias.unique()),
        ((*groups, "--unique", "-q"), bias.unique(per_query=True)),
        (("--unique",), alone.unique("run")),
        ((*groups, "--documents"), bias.documents()),
        ((*groups, "--errors"), bias.errors()),
        ((*groups, "--estimate", new), bias.estimates(new)),
        ((*groups, "--estimate", new, "--common", qrels), bias.estimates(new, common=qrels)),
    ):
        result = invoke("pool-bias", qrels, runs, "-m", "AP P@2", "--depth", 3, *arguments, "--format", "csv")
        assert result.exit_code == 0, result.output
        actual = pl.read_csv(io.StringIO(result.stdout), schema=expected.schema)
        assert_frame_equal(actual, expected, abs_tol=1e-9)
    shown = invoke("pool-bias", qrels, runs, "-m", "AP P@2", "--depth", 3, *groups)
    assert shown.stdout == f"{bias}\n"


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("--groups", "wide.csv"), ("several columns besides run_id: y, team", "--group y")),
        (("--groups", "teams.csv", "--group", "tema"), ("no column 'tema'", "Did you mean team?")),
        (("--groups", "qrels.csv"), ("it must have run_id and another one",)),
        (("--group", "team"), ("there is no table of groups", "--groups teams.csv --group team")),
        (("-q",), ("--unique --per-query",)),
        (("--common", "qrels.csv"), ("--common is for estimates", "--estimate new.run")),
        (("--unique", "--errors"), ("cannot be combined",)),
        (("--depth", "0"), ("--depth 100",)),
        (("--estimate", "runs.csv"), ("called 'a', as a pooled one is",)),
    ],
)
def test_errors(folder: Path, arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    paths = [str(folder / a) if a.endswith(".csv") else a for a in arguments]
    result = invoke("pool-bias", folder / "qrels.csv", folder / "runs.csv", *paths)
    assert result.exit_code in (1, 2)
    for word in words:
        assert word in result.output
