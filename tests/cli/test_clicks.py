"""`ireval clicks evaluate|check|rates|fit|judgments LOG`: what the Python calls give."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from tests.cli.commands import ROOT, invoke, lines

LOG = ROOT / "data" / "clicks" / "log.csv"
ASKED = "CTR@1 COEC PageSuccess TimeToSuccess"


def written(*arguments: object) -> pl.DataFrame:
    result = invoke("clicks", *arguments, "--format", "csv")
    assert result.exit_code == 0, result.stderr
    return pl.read_csv(io.StringIO(result.stdout))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_evaluate(engine: str) -> None:
    by = ["--by", "ranker", "--engine", engine]
    expected = ir.Impressions(LOG, by="ranker").evaluate(ASKED).summary()
    actual = written("evaluate", LOG, ASKED, *by)
    assert actual["value"].to_list() == pytest.approx(expected["value"].to_list(), rel=1e-12)
    users = written("evaluate", LOG, "PageCTR", "--unit", "user_id", "--unit", "session_id", "--over", "user_id")
    means = ir.Impressions(LOG, unit=["user_id", "session_id"]).evaluate("PageCTR").summary(over="user_id")
    assert users["value"].item() == pytest.approx(means["value"].item())
    assert lines(invoke("clicks", "evaluate", LOG))[1].split() == ["CTR", "0.2231"]


def test_rates() -> None:
    actual = written("rates", LOG, "--by", "query_id", "--by", "doc_id", "--shrinkage", "2")
    expected = ir.Impressions(LOG).rates(by=["query_id", "doc_id"], shrinkage=2)
    assert actual["coec"].to_list() == pytest.approx(expected["coec"].to_list())


def test_check(tmp_path: Path) -> None:
    """Exit code 1 where evaluating would refuse the log."""
    assert lines(invoke("clicks", "check", LOG))[1].split()[:3] == ["empty", "note", "6"]
    frame = pl.read_csv(LOG)
    pl.concat([frame, frame.head(5)]).write_parquet(tmp_path / "twice.parquet")
    twice = invoke("clicks", "check", tmp_path / "twice.parquet", "--all")
    assert twice.exit_code == 1
    assert ["same_position", "error", "5"] in [line.split()[:3] for line in twice.stdout.splitlines()]
    refused = invoke("clicks", "evaluate", tmp_path / "twice.parquet", "CTR")
    assert refused.exit_code == 1
    assert "--policy duplicates=trust" in refused.stderr


def test_layouts(tmp_path: Path) -> None:
    path = tmp_path / "log.tsv"
    path.write_text("1\t0\tQ\t7\t2\t11\t12\n1\t5\tC\t12\n")
    assert written("evaluate", path, "CTR", "--layout", "yandex-2012")["value"].item() == 0.5
    assert "no layout 'yandex'" in invoke("clicks", "check", path, "--layout", "yandex").stderr
    missing = invoke("clicks", "check", path, "--layout", "ubi")
    assert (missing.exit_code, "Name that of events: --events events.jsonl" in missing.stderr) == (2, True)
    queries, events = tmp_path / "queries.jsonl", tmp_path / "events.jsonl"
    queries.write_text('{"query_id": "p", "user_query": "tea", "query_response_hit_ids": ["a", "b"]}\n')
    events.write_text('{"action_name": "click", "query_id": "p", "event_attributes": {"object": {"object_id": "b"}}}\n')
    actual = written("evaluate", queries, "MRRFirstClick", "--layout", "ubi", "--events", events)
    assert actual["value"].item() == 0.5


def test_help() -> None:
    assert "--over" in invoke("clicks", "evaluate", LOG, "--help").stdout
    assert "Missing argument 'LOG'" in invoke("clicks", "check").stderr


def test_fit(tmp_path: Path) -> None:
    log = ir.Impressions(LOG)
    expected = log.fit("SDBN", prior=(0, 0))
    arguments = ("fit", LOG, "SDBN", "--prior", "0,0")
    assert written(*arguments)["value"].to_list() == pytest.approx(expected.parameters()["value"].to_list())
    model = tmp_path / "model.parquet"
    relevance = written(*arguments, "--relevance", "--save", model)
    assert relevance["relevance"].to_list() == pytest.approx(expected.relevance()["relevance"].to_list())
    assert ir.clicks.models.load(model).relevance().equals(expected.relevance())
    steps = written("fit", LOG, "PBM", "--iterations", 3, "--tolerance", 0, "--convergence")
    assert steps.height == log.fit("PBM", iterations=3, tolerance=0).convergence().height
    assert "SDBN" in invoke("clicks", *arguments, "--explain").stdout
    assert "Write --prior 1.0,1.0" in invoke("clicks", "fit", LOG, "SDBN", "--prior", "1").stderr
    assert "SDBN" in invoke("clicks", "fit", LOG, "SDBM").stderr


def test_judgments_evaluate_runs(tmp_path: Path) -> None:
    expected = ir.Impressions(LOG).fit("SDBN").judgments(grades=[0.1, 0.3], min_n=2)
    actual = written("judgments", LOG, "SDBN", "--grades", "0.1,0.3", "--min-n", 2)
    assert actual["relevance"].to_list() == expected["relevance"].to_list()
    qrels, run = tmp_path / "qrels.csv", tmp_path / "shown.csv"
    actual.write_csv(qrels)
    shown = pl.read_csv(LOG).drop_nulls("doc_id").group_by("query_id", "doc_id").agg(score=-pl.col("position").mean())
    shown.write_csv(run)
    assert invoke("evaluate", qrels, run, "nDCG@5").exit_code == 0
    assert set(written("judgments", LOG, "DCTR", "--grades", 3)["relevance"]) == {0, 1, 2}


def test_models_in_evaluations_and_against_people(tmp_path: Path) -> None:
    """Saved models by document and by grade weigh runs; judgments are compared with those of people."""
    log, qrels, run = ir.Impressions(LOG), tmp_path / "qrels.csv", tmp_path / "shown.csv"
    judged = log.fit("DCTR").judgments(grades=3).select("query_id", "doc_id", "relevance")
    judged.write_csv(qrels)
    shown = pl.read_csv(LOG).drop_nulls("doc_id").group_by("query_id", "doc_id").agg(score=-pl.col("position").mean())
    shown.write_csv(run)
    for more, expected in (((), log.fit("SDBN")), (("--grades", qrels), log.graded(judged).fit("SDBN"))):
        model = tmp_path / "model.parquet"
        written("fit", LOG, "SDBN", *more, "--save", model)
        measures = ["uSDBN(unseen='prior')@5", "Seen@5"]
        actual = invoke("evaluate", qrels, run, *measures, "--click-model", model, "--format", "csv")
        values = ir.evaluate(judged, shown, measures, click_model=expected).summary()["value"].to_list()
        assert pl.read_csv(io.StringIO(actual.stdout))["value"].to_list() == pytest.approx(values)
    table = tmp_path / "parameters.csv"
    log.fit("SDBN").parameters().write_csv(table)
    assert invoke("evaluate", qrels, run, "uSDBN@5", "--click-model", table).exit_code == 0
    missing = invoke("evaluate", qrels, run, "uSDBN@5")
    assert (missing.exit_code, "--click-model sdbn.parquet" in missing.stderr) == (2, True)
    agreement = written("judgments", LOG, "SDBN", "--against", qrels)
    expected = ir.judging.click_agreement(log.fit("SDBN"), judged)
    assert agreement["value"].to_list() == pytest.approx(expected["value"].to_list())


def test_judgments_for_evaluate(tmp_path: Path) -> None:
    """A file that is no table is written as TREC judgments, which `ireval evaluate` reads."""
    log = ir.examples.click_log()
    log.write_parquet(tmp_path / "log.parquet")
    for name in ("qrels.txt", "qrels.csv"):
        done = invoke("clicks", "judgments", tmp_path / "log.parquet", "SDBN", "--grades", "2", "-o", tmp_path / name)
        assert done.exit_code == 0, done.stderr
    expected = ir.Impressions(log).fit("SDBN").judgments(grades=2).sort("doc_id")
    for name in ("qrels.txt", "qrels.csv"):
        actual = ir.read_qrels(tmp_path / name).sort("doc_id")
        assert actual["relevance"].to_list() == expected["relevance"].to_list()
    log.with_columns(query_id=pl.lit("red shoes")).write_parquet(tmp_path / "log.parquet")
    refused = invoke("clicks", "judgments", tmp_path / "log.parquet", "SDBN", "-o", tmp_path / "qrels.txt")
    assert "a file whose name ends in .parquet or .csv" in refused.stderr


def test_mistyped_names(tmp_path: Path) -> None:
    ir.examples.click_log().write_csv(tmp_path / "log.csv")
    near = invoke("interleave", "outcomes", tmp_path / "lg.csv")
    assert "lg.csv does not exist.\n  Did you mean log.csv?" in near.stderr
    other = invoke("clicks", "evaluate", tmp_path / "log.csv", "nDCG@10")
    assert 'Write ireval evaluate QRELS RUN -m "nDCG".' in other.stderr
    other = invoke("evaluate", tmp_path / "log.csv", tmp_path / "log.csv", "PageCTR")
    assert 'Write ireval clicks evaluate LOG "PageCTR".' in other.stderr
    with pytest.raises(ir.errors.FileError, match="for a table of a database: con=connection"):
        ir.Impressions("shown").evaluate("CTR").summary()
