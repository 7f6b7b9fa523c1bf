"""`ireval gate`: exit codes, the same verdicts as in Python, and every document written."""

from __future__ import annotations

import io
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from tests.cli.commands import BM25, DATA, QRELS, invoke, process

TFIDF, NAMES = (str(DATA / "runs" / f"{name}.txt") for name in ("tfidf", "names"))
SAMPLED, TOPICS = str(DATA / "qrels_sampled.txt"), str(DATA / "topics.tsv")
RULES = ("-r", "nDCG@10 no significant loss", "-r", "AP non-inferior within 0.02", "-r", "units AP worst <= 5")


def test_table_is_that_of_python() -> None:
    expected = ir.gate(*(ir.evaluate(QRELS, [run], "nDCG@10 AP") for run in (BM25, TFIDF)), list(RULES[1::2])).table()
    result = invoke("gate", QRELS, "--baseline", BM25, "--candidate", TFIDF, *RULES, "--format", "csv")
    assert result.exit_code == 3
    actual = pl.read_csv(io.StringIO(result.stdout), schema=expected.schema)
    assert_frame_equal(actual, expected)


@pytest.mark.parametrize(
    "code, arguments",
    [
        (0, (QRELS, "--baseline", BM25, "--candidate", TFIDF, "-m", "AP")),
        (0, (QRELS, "--candidate", TFIDF, "-r", "AP >= 0.3")),
        (1, (QRELS, "--baseline", "none.run", "--candidate", TFIDF)),
        (1, ("--baseline", TOPICS, "--candidate", TOPICS)),
        (2, (QRELS, "--baseline", BM25, "--candidate", TFIDF, "-r", "better")),
        (2, (QRELS, "--baseline", BM25)),
        (1, (QRELS, "--baseline", "store:main", "--candidate", TFIDF, "--store", "nowhere")),
        (2, ("store:main", QRELS, TFIDF, "--baseline", BM25)),
        (3, (QRELS, "--baseline", BM25, "--candidate", NAMES, "-m", "nDCG@10")),
        (4, (QRELS, "--baseline", BM25, "--candidate", BM25, "--baseline-qrels", SAMPLED, "-m", "AP")),
    ],
)
def test_exit_codes(code: int, arguments: tuple[str, ...]) -> None:
    result = invoke("gate", *arguments)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("code", range(5))
def test_exit_codes_of_the_process(code: int) -> None:
    arguments = {
        0: (QRELS, BM25, "-r", "AP >= 0.3"),
        1: (QRELS, "none.run", "-r", "AP >= 0.3"),
        2: (QRELS, BM25, "-r", "AP better"),
        3: (QRELS, BM25, "-r", "AP >= 0.9"),
        4: (QRELS, BM25, "--baseline", BM25, "--baseline-qrels", SAMPLED, "-m", "AP"),
    }[code]
    actual = process("gate", *arguments)
    assert actual.returncode == code
    assert b"Traceback" not in actual.stderr


def test_store(tmp_path: Path) -> None:
    at = ("--store", tmp_path / "results")
    # The first night there is nothing to compare with; then it is stored, named, and compared with.
    first = invoke(
        "gate", QRELS, BM25, "-r", "AP >= 0.3; nDCG@10 as usual in last 5", *at, "--keep", "--collection", "stdlib"
    )
    assert first.exit_code == 0, first.output
    store = ir.Store(tmp_path / "results")
    store.tag("main", store.evaluations().collect()["evaluation_id"].item())
    result = invoke("gate", "store:main", QRELS, NAMES, *at, "--keep", "--set", "commit=3f2a", "--format", "csv")
    assert result.exit_code == 3
    expected = ir.gate(*(ir.evaluate(QRELS, [run], "AP nDCG@10") for run in (BM25, NAMES))).table()
    assert_frame_equal(pl.read_csv(io.StringIO(result.stdout), schema=expected.schema), expected)
    gates = store.sql(
        "SELECT rule, measure, run_id, exit_code, passed, tags, command FROM gates ORDER BY made_at, place"
    )
    assert gates["exit_code"].to_list() == [0, 0, 3, 3]
    assert gates["passed"].to_list()[2:] == expected["passed"].to_list()
    assert gates.select("measure", "run_id", "tags").row(2) == ("AP", "names", '{"commit":"3f2a"}')
    assert gates["command"][0].startswith("ireval")
    drop = invoke("gate", QRELS, NAMES, "-r", "AP drop <= 0.01 from last passed", *at, "--format", "json")
    # Its own run is in the store as names, which never passed.
    assert drop.exit_code == 0
    assert json.loads(drop.stdout)["rules"][0]["reason"].endswith("that passed a gate yet")


def test_values_rules_and_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    baseline, rules = tmp_path / "baseline.parquet", tmp_path / "gate.toml"
    assert invoke("evaluate", QRELS, BM25, "-m", "AP", "-q", "-o", baseline).exit_code == 0
    rules.write_text('rules = ["AP drop <= 0.001"]\nconfidence = 0.9\n')
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    (tmp_path / "summary.md").write_text("before\n")
    files = {name: tmp_path / f"gate.{name}" for name in ("junit", "markdown", "json", "gitlab")}
    result = invoke(
        "gate", QRELS, "--baseline", baseline, "--candidate", NAMES, "--rules", rules, "--github", "--azure",
        "--teamcity", *(part for name, path in files.items() for part in (f"--{name}", path)),
    )  # fmt: skip
    assert result.exit_code == 3, result.output
    assert [line.split(" ")[0] for line in result.stdout.splitlines()[-3:]] == [
        "::error", "##vso[task.logissue", "##teamcity[buildProblem",
    ]  # fmt: skip
    assert ET.parse(files["junit"]).getroot().get("failures") == "1"
    document = json.loads(files["json"].read_text())
    assert (document["exit_code"], document["confidence"], document["rules"][0]["verdict"]) == (3, 0.9, "fail")
    assert len(json.loads(files["gitlab"].read_text())) == 1
    assert (tmp_path / "summary.md").read_text() == "before\n" + files["markdown"].read_text()


def test_what_is_full_is_not_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("x" * (1 << 20))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert invoke("gate", QRELS, "--candidate", TFIDF, "-r", "AP >= 0.3", "--github").exit_code == 0
    assert summary.stat().st_size == 1 << 20


def test_a_document_on_standard_output_is_whole() -> None:
    result = invoke("gate", QRELS, "--candidate", TFIDF, "-r", "AP >= 0.9", "--format", "json", "--teamcity")
    assert json.loads(result.stdout)["exit_code"] == 3
    assert result.stderr.startswith("##teamcity[")


def test_segments() -> None:
    result = invoke(
        "gate", QRELS, "--baseline", BM25, "--candidate", TFIDF, "--queries", TOPICS, "--by", "group",
        "-r", "AP drop <= 0.2 in each segment", "--format", "csv",
    )  # fmt: skip
    groups = pl.read_csv(TOPICS, separator="\t")["group"].unique().sort().to_list()
    assert pl.read_csv(io.StringIO(result.stdout))["group"].to_list() == groups


def test_runs_whose_columns_have_other_names(tmp_path: Path) -> None:
    """With `--column` they are runs, and without it the error names the option."""
    files = {}
    for name, path in (("base", BM25), ("new", TFIDF)):
        files[name] = str(tmp_path / f"{name}.parquet")
        ir.read_run(path).rename({"query_id": "search_id"}).write_parquet(files[name])
    sides = (QRELS, "--baseline", files["base"], "--candidate", files["new"])
    named = invoke("gate", *sides, "--column", "run.query_id=search_id", "-r", "AP drop <= 0.01", "--format", "csv")
    assert named.exit_code == 0, named.output
    expected = ir.gate(*(ir.evaluate(QRELS, run, "AP") for run in (BM25, TFIDF)), "AP drop <= 0.01").table()
    differences = pl.read_csv(io.StringIO(named.stdout))["difference"].to_list()
    assert differences == pytest.approx(expected["difference"].to_list(), rel=1e-12)
    unnamed = invoke("gate", *sides, "-r", "AP drop <= 0.01")
    assert unnamed.exit_code == 1
    assert "--column query_id=search_id" in unnamed.stderr
