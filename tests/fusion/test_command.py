"""`ireval fuse`: its tables are those of Python, and errors name the option to write."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl
from polars.testing import assert_frame_equal

import ireval_frames as ir
from tests.cli.commands import DATA, invoke

RUNS = [str(DATA / "runs" / f"{name}.txt") for name in ("bm25", "lsa", "tfidf")]
QRELS = str(DATA / "qrels.txt")


def test_a_run_is_written_and_read(tmp_path: Path) -> None:
    fused = ir.fuse(ir.read_run(RUNS), "rrf", depth=50, top=10).collect()
    for name in ("fused.run", "fused.csv", "fused.parquet"):
        path = tmp_path / name
        arguments = ("--depth", "50", "--top", "10", "-o", str(path))
        assert invoke("fuse", *RUNS, *arguments).exit_code == 0
        written = ir.io.scan_run(path, run_id="tag").collect().select("run_id", "query_id", "doc_id", "score")
        assert written.cast({"query_id": pl.String}).rows() == fused.select(written.columns).rows()
    printed = invoke("fuse", *RUNS, "--depth", "50", "--top", "10", "--format", "trec").stdout
    assert printed == (tmp_path / "fused.run").read_text("utf-8")


def test_tables() -> None:
    runs, qrels = ir.read_run(RUNS), ir.read_qrels(QRELS)
    weights = {"bm25": 0.5, "lsa": 2.0, "tfidf": 1.0}
    stated = ("--weight", ",".join(f"{name}={weight}" for name, weight in weights.items()))
    fused = ir.fuse(runs, "wsum", weights=weights, normalize="zmuv", depth=20)
    tables = {
        "--gain": fused.gain(qrels, "AP P@10"), "--leave-one-out": fused.leave_one_out(qrels, "AP P@10"),
        "--overlap": fused.overlap(qrels), "--contributions": fused.contributions(qrels),
    }  # fmt: skip
    for option, table in tables.items():
        arguments = ("--method", "wsum", *stated, "--normalize", "zmuv", "--depth", "20", "--qrels", QRELS)
        result = invoke("fuse", *RUNS, *arguments, option, "--format", "csv")
        assert result.exit_code == 0, result.stderr
        assert_frame_equal(pl.read_csv(io.StringIO(result.stdout)), table, rel_tol=1e-12)
    learned = ir.fuse(runs, "mapfuse", qrels=qrels, folds=3).learned()
    result = invoke("fuse", *RUNS, "--method", "mapfuse", "--qrels", QRELS, "--folds", "3", "--learned", "-f", "csv")
    assert_frame_equal(pl.read_csv(io.StringIO(result.stdout)), learned, rel_tol=1e-12)


def test_errors_speak_of_options() -> None:
    for arguments, words in (
        (("--method", "wsum"), "Write --weight bm25=1,lsa=1,tfidf=1, or have them fitted: --qrels "),
        (("--method", "wsum", "--weight", "bm25=1"), "Give each run one: --weight bm25=1,lsa=1,tfidf=1."),
        (("--method", "posfuse"), "posfuse learns from judgments.\n  Write --qrels qrels.txt."),
        (("--weight", "bm25=much"), "--weight bm25 is 'much'; it must be a number."),
        (("--gain",), "Write --qrels qrels.txt."),
        (("-m", "AP"), "Measures are for --gain and --leave-one-out."),
        (("--normalize", "max"), "Leave it out, or write --method combsum."),
        (
            ("--run-id", "lsa"),
            "A run is called 'lsa', as the fused one would be.\n  Name it otherwise: --run-id fused.",
        ),
    ):
        result = invoke("fuse", *RUNS, *arguments)
        assert result.exit_code == 2
        assert words in result.stderr
