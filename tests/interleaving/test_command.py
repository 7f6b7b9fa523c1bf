"""`ireval interleave` gives what the functions give."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from polars.testing import assert_frame_equal

import ireval_frames as ir
from tests.cli.commands import invoke as command
from tests.interleaving.cases import TWO_RUNS, add_clicks, pages, run


def test_lists_and_outcomes(tmp_path: Path) -> None:
    files = []
    for i, name in enumerate(("a", "b")):
        files.append(str(tmp_path / f"{name}.run"))
        ir.io.write_run(run(TWO_RUNS, i), files[-1])
    requests = pages(40).with_columns(pl.col("serp_id").cast(pl.String))
    requests.write_csv(tmp_path / "pages.csv")
    lists = str(tmp_path / "lists.parquet")
    result = command("interleave", "lists", *files, "--depth", "3", "--pages", str(tmp_path / "pages.csv"), "-o", lists)
    assert result.exit_code == 0, result.output
    expected_lists = pl.read_parquet(lists)
    assert expected_lists.equals(
        ir.interleaving.interleave(run(TWO_RUNS, 0), run(TWO_RUNS, 1), depth=3, pages=requests)
    )
    log = add_clicks(expected_lists, {"b": 0.8}, 1)
    log.write_parquet(tmp_path / "log.parquet")
    test = ir.interleaving.Interleaving(log)
    for options, expected in (
        ((), test.summary()),
        (("--tests",), test.tests()),
        (("--tests", "--correction", "none"), test.tests(correction="none")),
        (("--matrix",), test.matrix()),
        (("--credits",), test.credits()),
        (
            ("--no-common-prefix", "--credit", "any"),
            ir.interleaving.Interleaving(log, common_prefix=False, credit="any").summary(),
        ),
        (("--long-tail", "equal"), test.long_tail("equal")),
        (("-q",), test.per_unit()),
    ):
        out = str(tmp_path / "out.parquet")
        result = command("interleave", "outcomes", str(tmp_path / "log.parquet"), *options, "-o", out)
        assert result.exit_code == 0, result.output
        assert_frame_equal(pl.read_parquet(out), expected, abs_tol=1e-12)
    invalid = command("interleave", "outcomes", str(tmp_path / "log.parquet"), "--method", "team")
    assert invalid.exit_code == 2
    assert command("interleave", "size", "0.12", "0.10").stdout == "4407\n"
