"""What the user is told when something is wrong."""

import pytest

from tests.cli.commands import BM25, DATA, QRELS, invoke


@pytest.mark.parametrize(
    "arguments, code, told",
    [
        ((QRELS, DATA / "runs" / "bm52.txt"), 1, "bm25.txt"),
        ((QRELS, BM25, "-m", "nDGC@10"), 2, "Did you mean"),
        ((QRELS, BM25, "nDGC@10"), 2, "Did you mean"),
        ((QRELS, BM25, "-m", "P"), 2, "P needs a cutoff"),
        ((QRELS, BM25, "-m", "P(rel=2"), 2, "brackets"),
        ((QRELS, BM25, "--policy", "missing=zeros"), 2, "allowed: zero, skip, error"),
        ((QRELS, BM25, "--policy", "trec_eval-8"), 2, "trec_eval-9"),
        ((QRELS, BM25, "--engine", "pandas"), 2, "polars"),
        ((QRELS, BM25, "--format", "xml"), 2, "xml"),
        ((QRELS, BM25, "--by", "lang"), 1, "lang"),
        ((QRELS,), 2, "Missing argument"),
        (("-", "-"), 2, "named twice"),
        ((BM25, QRELS), 1, "Judgments come first"),
    ],
)
def test_evaluate(arguments, code, told) -> None:
    result = invoke("evaluate", *arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.startswith("ireval: ")
    assert told in result.stderr
    assert "Traceback" not in result.stderr


def test_malformed_lines_are_told_with_number_and_text(tmp_path) -> None:
    run = tmp_path / "broken.run"
    run.write_text("q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 high t\nq1 Q0 d3\n")
    result = invoke("evaluate", QRELS, run)
    assert result.exit_code == 1
    assert "line 2" in result.stderr
    assert "line 3" in result.stderr
    assert "high" in result.stderr


@pytest.mark.parametrize(
    "arguments, told",
    [
        (("-m", "Rndcg"), "not available yet"),
        (("-m", "all_trec"), "not available yet"),
        (("-m", "ndgc"), "Did you mean ndcg"),
        (("-m", "P."), "after the dot"),
        (("-m", "P.0"), "cutoff"),
        (("-m", "P.5,5"), "twice"),
        (("-m", "ndcg.1"), "name=value"),
        (("-m", "11pt_avg..5,.2"), "ascend"),
        (("-Z", "file"), "-Z is not available yet"),
        (("-R", "prefs"), "-R is not available yet"),
        (("-M0",), "1 or more"),
        (("-l-1",), "0 or more"),
        (("--compat", "8"), "allowed: 9, 10"),
    ],
)
def test_trec_eval(arguments, told) -> None:
    result = invoke("trec-eval", *arguments, QRELS, BM25)
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr


def test_no_common_query(tmp_path) -> None:
    run = tmp_path / "other.run"
    run.write_text("other Q0 d1 1 2.5 t\n")
    assert invoke("trec-eval", QRELS, run).exit_code == 1
    assert invoke("trec-eval", "-c", QRELS, run).exit_code == 0


def test_typos_of_commands_are_told() -> None:
    result = invoke("evalute", QRELS, BM25)
    assert result.exit_code == 2
    assert "evaluate" in result.stderr
