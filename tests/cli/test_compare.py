"""`ireval compare`: in every format what Python gives, and errors name the option to write."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from rich.console import Console

import ireval_frames as ir
from ireval_frames.cli.output.documents import show
from ireval_frames.comparison import Comparison
from ireval_frames.displayed import displays_of
from tests.cli.commands import BM25, DATA, QRELS, invoke, lines

LSA, TFIDF = (str(DATA / "runs" / f"{name}.txt") for name in ("lsa", "tfidf"))
RUNS = (BM25, LSA, TFIDF)


@pytest.fixture(scope="module")
def evaluation() -> ir.Evaluation:
    return ir.evaluate(QRELS, list(RUNS), "nDCG@10 AP")


@pytest.fixture(scope="module")
def values(evaluation: ir.Evaluation, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The values per query of two measures, as a file."""
    path = tmp_path_factory.mktemp("values") / "values.csv"
    evaluation.per_unit().select("run_id", "query_id", "measure", "value").write_csv(path)
    return str(path)


def csv(*arguments: Any) -> pl.DataFrame:
    result = invoke("compare", *arguments, "--format", "csv")
    assert result.exit_code == 0, result.output
    return pl.read_csv(io.StringIO(result.stdout), infer_schema_length=None)


def same(actual: pl.DataFrame, expected: pl.DataFrame) -> None:
    assert actual.columns == expected.columns
    assert_frame_equal(actual.cast(expected.schema), expected, abs_tol=1e-9, rel_tol=1e-9)


def test_tables_are_those_of_python(evaluation: ir.Evaluation, values: str) -> None:
    same(csv(QRELS, *RUNS, "-m", "nDCG@10 AP"), evaluation.compare().table())
    several = evaluation.compare("bm25", test=["t", "wilcoxon"], zeros="pratt", correction="bh", family="all")
    options = ("--baseline", "bm25", "--test", "t,wilcoxon", "--set", "zeros=pratt", "--correction", "bh")
    same(csv(QRELS, *RUNS, "-m", "nDCG@10 AP", *options, "--family", "all"), several.table())
    keys = ["measure", "test", "system"]
    same(csv(values, *options, "--family", "all").sort(keys), several.table().sort(keys))
    fewer = ir.compare(
        values, test="welch", confidence=0.9, alternative="greater", lower_is_better="AP", effect="cohen_d"
    )
    options = ("--test", "welch", "--confidence", "0.9", "--alternative", "greater", "--lower-is-better", "AP")
    same(csv(values, *options, "--effect", "cohen_d"), fewer.table())


@pytest.mark.parametrize("name", ["systems", "anova", "differences"])
def test_results_of_their_own(name: str, evaluation: ir.Evaluation, values: str) -> None:
    expected: pl.DataFrame = getattr(evaluation.compare(), name)()
    actual = csv(values, f"--{name}")
    keys = ["measure", "term"] if name == "anova" else ["measure", "system"] + ["query_id"] * (name == "differences")
    keys += ["baseline"] * (name == "differences")
    same(actual.cast({k: expected.schema[k] for k in keys}).sort(keys), expected.sort(keys))
    assert lines(invoke("compare", values, f"--{name}"))[0].split() == expected.columns


def test_options_of_one_test_may_be_true_or_false(values: str) -> None:
    actual = csv(values, "--test", "mann-whitney", "--set", "continuity=false")
    same(actual, ir.compare(values, test="mann-whitney", continuity=False).table())


def test_groups_of_queries(evaluation: ir.Evaluation, tmp_path: Path) -> None:
    topics = evaluation.per_unit()["query_id"].unique(maintain_order=True)
    queries = tmp_path / "queries.csv"
    frame = pl.DataFrame({"query_id": topics, "half": [("left", "right")[i % 2] for i in range(len(topics))]})
    frame.write_csv(queries)
    actual = csv(QRELS, BM25, LSA, "-m", "AP", "--queries", str(queries), "--by", "half")
    expected = ir.evaluate(QRELS, [BM25, LSA], "AP", queries=frame, by="half").compare().table()
    same(actual, expected)
    assert actual["half"].to_list() == ["left", "right"]


def test_formats_are_those_of_python(values: str, tmp_path: Path) -> None:
    c: Comparison = ir.compare(values)
    written = {"table": str(c) + "\n", "markdown": c.to_markdown(), "latex": c.to_latex(), "html": c.to_html()}
    for name, text in written.items():
        assert invoke("compare", values, "--format", name).stdout == text
    for suffix, name in ((".md", "markdown"), (".tex", "latex"), (".html", "html")):
        path = tmp_path / f"values{suffix}"
        assert invoke("compare", values, "-o", path).stdout == ""
        assert path.read_text() == written[name]
    rows = json.loads(invoke("compare", values, "--format", "json").stdout)
    assert [row["p_value"] for row in rows] == pytest.approx(c.table()["p_value"].to_list())
    path = tmp_path / "values.parquet"
    invoke("compare", values, "-o", path)
    assert_frame_equal(pl.read_parquet(path), c.table())
    assert invoke("compare", values, "--explain").stdout == c.explain() + "\n"


def test_it_reads_well(values: str) -> None:
    shown = lines(invoke("compare", values, "--baseline", "bm25"))
    assert shown[0].split() == ["run_id", "AP", "nDCG@10"]
    assert [line.split()[0] for line in shown[1:4]] == ["bm25", "lsa", "tfidf"]
    assert re.match(r"bm25 +lsa +101 +\+0\.0695▲? +\[\+0\.0148, \+0\.1242\] +69/1/31 +0\.0132 +0\.0265 ", shown[7])


@pytest.mark.parametrize("width", [50, 80, 100, 140])
def test_no_number_is_cut_off_on_a_narrow_terminal(width: int) -> None:
    names = [f"measure {i}" for i in range(9)]
    rows = [(s, q, m, (q * i) % 7 / 10 + j / 100) for i, s in enumerate("ab", 2) for q in range(8)
            for j, m in enumerate(names)]  # fmt: skip
    c = ir.compare(pl.DataFrame(rows, schema=["run_id", "query_id", "measure", "value"], orient="row"), baseline="a")
    to = Console(width=width, file=io.StringIO())
    show(displays_of(c)[0], to)
    text = to.file.getvalue()
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width
    for row in c.table().iter_rows(named=True):
        for number in (f"{row['mean']:.4f}", f"[{row['ci_low']:.4f}, +{row['ci_high']:.4f}]"):
            assert number.replace("[0", "[+0") in text
    assert [name for name in names if name not in text] == []
    assert ("Too narrow for:" in text) == (width < 120)


def test_a_table_wide_by_systems_with_names_of_its_own(values: str, tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    frame = pl.read_csv(values).filter(measure="AP")
    wide = frame.pivot(on="run_id", index="query_id", values="value").rename({"query_id": "topic"})
    wide.write_csv(path)
    actual, expected = csv(path, "--unit", "topic"), ir.compare(frame).table()
    same(actual.drop("measure"), expected.drop("measure"))


WRONG: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "one run": ((QRELS, BM25, "-m", "AP"), ("There is one system", "--system run_id")),
    "an unknown baseline": (("VALUES", "--baseline", "bm52"), ("no run_id 'bm52'", "Did you mean bm25?")),
    "an unknown test": (("VALUES", "--test", "wilcoxn"), ("no test 'wilcoxn'", "wilcoxon")),
    "an unknown correction": (("VALUES", "--correction", "holms"), ("no correction", "holm")),
    "an option no test reads": (("VALUES", "--set", "zeros=pratt"), ("no option 'zeros'",)),
    "no margin": (("VALUES", "--test", "equivalence"), ("needs a margin", "Write --set margin=0.01, in units")),
    "a margin below 0": (("VALUES", "--test", "non-inferiority", "--set", "margin=-1"), ("Write --set margin=0.01.",)),
    "a flag": (("VALUES", "--test", "wilcoxon", "--set", "continuity=2"), ("Write --set continuity=True.",)),
    "a few folds": (("VALUES", "--test", "corrected-t", "--set", "folds=1"), ("Write --set folds=10.",)),
    "no pair": (("VALUES", "--set", "zeros"), ("NAME=VALUE", "zeros=pratt")),
    "a confidence of percents": (("VALUES", "--confidence", "95"), ("confidence is 95", "--confidence 0.95")),
    "a wrong rule": (("VALUES", "--missing", "drop"), ("missing is 'drop'", "--missing intersect")),
    "too few draws": (("VALUES", "--n-resamples", "0"), ("n_resamples is 0", "--n-resamples 10000")),
    "no such unit": (("VALUES", "--unit", "topic"), ("no column 'topic'", "--unit")),
    "other units": (("HOLES",), ("has no value of nDCG@10 for 1 of 101", "--missing intersect")),
    "two results": (("VALUES", "--anova", "--systems"), ("cannot be combined",)),
    "a format of papers": (("VALUES", "--systems", "--format", "latex"), ("--systems is not written as latex", "csv")),
    "values' options of runs": ((QRELS, BM25, LSA, "-m", "AP", "--unit", "u"), ("--unit is of a table of values",)),
    "runs' options of values": (("VALUES", "--queries", "topics.tsv"), ("--queries is of judgments and runs",)),
    "no file": (("nowhere.csv",), ("nowhere.csv does not exist",)),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors(name: str, values: str, tmp_path: Path) -> None:
    arguments, words = WRONG[name]
    holes = tmp_path / "holes.csv"
    pl.read_csv(values).slice(1).write_csv(holes)
    result = invoke("compare", *({"VALUES": values, "HOLES": str(holes)}.get(a, a) for a in arguments))
    assert result.exit_code in (1, 2)
    assert result.exit_code == (1 if name in ("no file", "other units", "no such unit") else 2)
    for word in words:
        assert word in result.stderr
    assert "Traceback" not in result.stderr
