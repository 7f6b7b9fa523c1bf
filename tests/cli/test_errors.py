"""Messages about errors."""

from pathlib import Path

import pytest

import ireval_frames as ir
from tests.cli.commands import BM25, DATA, QRELS, invoke


@pytest.mark.parametrize(
    "arguments, code, message",
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
def test_evaluate(arguments, code, message) -> None:
    result = invoke("evaluate", *arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.startswith("ireval: ")
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_malformed_lines_are_reported_with_number_and_text(tmp_path) -> None:
    run = tmp_path / "broken.run"
    run.write_text("q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 high t\nq1 Q0 d3\n")
    result = invoke("evaluate", QRELS, run)
    assert result.exit_code == 1
    assert "line 2" in result.stderr
    assert "line 3" in result.stderr
    assert "high" in result.stderr


@pytest.mark.parametrize(
    "arguments, code, message",
    [
        (("-m", "ndgc"), 1, "Did you mean ndcg"),
        (("-m", "P."), 1, "after the dot"),
        (("--Number", "x"), 1, "-N is 'x'; it must be a whole number"),
        (("--N", "-1"), 1, "0 or more"),
        (("--measures",), 1, "Did you mean --measure"),
        (("-x",), 1, "There are: -h -v -q"),
        (("--Re", "qrels"), 1, "--Rel_info_format, --Results_format"),
        (("--nosummary=1",), 1, "takes no value"),
        (("--compat", "8"), 1, "allowed: 9, 10"),
        (("more",), 1, "Usage: ireval trec-eval"),
        (("-m", "P.0"), 2, "cutoff"),
        (("-m", "P.5,5"), 2, "repeated"),
        (("-m", "ndcg.1"), 2, "name=value"),
        (("-m", "11pt_avg..5,.2"), 2, "ascend"),
        (("-m", "rbp.p=1"), 2, "between 0 and 1"),
        (("-R", "pref"), 2, "allowed: qrels, qrels_jg, prefs, qrels_prefs"),
        (("-m", "utility.1,2"), 4, "utility takes four"),
    ],
)
def test_trec_eval(arguments, code, message) -> None:
    result = invoke("trec-eval", *arguments, QRELS, BM25)
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.startswith("ireval: ")
    assert message in result.stderr


@pytest.mark.parametrize(
    "text, message",
    [("1 map 0.5\n1 P_5 x 1\n", "line 1: "), ("1 map 1 1\n1 map 1 2\n", "occurs twice"), ("", "is empty")],
)
def test_the_file_of_means(text, message, tmp_path) -> None:
    means = tmp_path / "means"
    means.write_text(text)
    result = invoke("trec-eval", "-Z", means, QRELS, BM25)
    assert (result.exit_code, result.stdout) == (255, "")
    assert message in result.stderr


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("evalute", QRELS, BM25), "Did you mean 'evaluate'?"),
        ((QRELS, "evaluate", BM25), f"'evaluate' comes first: ireval evaluate {QRELS} …"),
        (("clicks", "log.csv", "evaluate"), "'evaluate' comes first: ireval clicks evaluate log.csv …"),
        (("splits", "items.csv", "kfold", "5"), "'kfold' comes first: ireval splits kfold items.csv …"),
        (("splits", "items.csv"), "No such command 'items.csv'"),
        (("--versoin",), "ireval: No such option '--versoin'. Did you mean '--version'?\n  See: ireval --help"),
    ],
)
def test_commands(arguments, message) -> None:
    result = invoke(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_a_column_the_wrong_way_round(tmp_path: Path) -> None:
    qrels, run = tmp_path / "qrels.csv", tmp_path / "run.csv"
    qrels.write_text("search_id,doc,label\n1,a,1\n")
    run.write_text("search_id,doc,position\n1,a,1\n")
    wrong = invoke("evaluate", qrels, run, "-m", "AP", "--column", "search_id=query_id")
    assert wrong.exit_code == 2
    assert "Write --column query_id=search_id" in wrong.stderr
    without = invoke("trec-eval", qrels, run)
    assert "columns=" not in without.stderr
    assert "write query_id in place of search_id" in without.stderr


def test_the_folder_of_a_page_is_an_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ir.Store("results")
    result = invoke("store", "page", "site")
    assert result.exit_code == 1
    assert "ireval store page -o site" in result.stderr
