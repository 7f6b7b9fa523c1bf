"""`ireval interleave` gives what the functions give."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from polars.testing import assert_frame_equal

import ireval_frames as ir
from tests.cli.commands import invoke as command
from tests.interleaving.cases import TWO, clicked, pages, run


def test_lists_and_outcomes(tmp_path: Path) -> None:
    files = []
    for i, name in enumerate(("a", "b")):
        files.append(str(tmp_path / f"{name}.run"))
        ir.io.write_run(run(TWO, i), files[-1])
    asked = pages(40).with_columns(pl.col("serp_id").cast(pl.String))
    asked.write_csv(tmp_path / "pages.csv")
    lists = str(tmp_path / "lists.parquet")
    done = command("interleave", "lists", *files, "--depth", "3", "--pages", str(tmp_path / "pages.csv"), "-o", lists)
    assert done.exit_code == 0, done.output
    shown = pl.read_parquet(lists)
    assert shown.equals(ir.interleaving.interleave(run(TWO, 0), run(TWO, 1), depth=3, pages=asked))
    log = clicked(shown, {"b": 0.8}, 1)
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
        done = command("interleave", "outcomes", str(tmp_path / "log.parquet"), *options, "-o", out)
        assert done.exit_code == 0, done.output
        assert_frame_equal(pl.read_parquet(out), expected, abs_tol=1e-12)
    wrong = command("interleave", "outcomes", str(tmp_path / "log.parquet"), "--method", "team")
    assert wrong.exit_code == 2
    assert command("interleave", "size", "0.12", "0.10").stdout == "4407\n"
