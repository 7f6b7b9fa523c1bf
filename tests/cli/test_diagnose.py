"""`ireval diagnose`: its tables are those of Python, and errors name the option to write."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.ranking.diagnosis.result import RankingDiagnosis
from tests.cli.commands import BM25, DATA, QRELS, RUNS, invoke, lines

LSA = str(DATA / "runs" / "lsa.txt")
TWO = ("diagnose", QRELS, BM25, LSA, "--baseline", "bm25")


@pytest.fixture(scope="module")
def d() -> RankingDiagnosis:
    return ir.evaluate(QRELS, [BM25, LSA], "nDCG@10").diagnose("lsa", "bm25")


def csv(*arguments: str) -> pl.DataFrame:
    result = invoke(*TWO, *arguments, "--format", "csv")
    assert result.exit_code == 0, result.output
    return pl.read_csv(io.StringIO(result.stdout), schema_overrides={"query_id": pl.String})


def test_tables(d: RankingDiagnosis, tmp_path: Path) -> None:
    queries = tmp_path / "queries.csv"
    topics = d.topics()["query_id"]
    pl.DataFrame({"query_id": topics}).with_columns(half=pl.int_range(pl.len()) % 2).write_csv(queries)
    for arguments, expected in (
        ((), d.topics()),
        (("--hardest",), d.hardest()),
        (("--query", "115"), d.documents("115")),
        (("--query", "115", "--depth", "3"), d.documents("115", 3)),
        (("--only", "baseline", "--depth", "3"), d.only("baseline", 3)),
        (("--unjudged", "3"), d.unjudged(3)),
        (("--to-judge", "2"), d.to_judge(2)),
        (("--by", "half", "--queries", str(queries)), d.segments("half", queries)),
    ):
        actual = csv(*arguments)
        assert_frame_equal(actual.cast(expected.schema), expected, abs_tol=1e-9, rel_tol=1e-9)


def test_it_reads_well(d: RankingDiagnosis) -> None:
    shown = lines(invoke(*TWO, "--system", "lsa"))
    assert shown[:2] == [d.headline, ""]
    assert shown[2].split() == d.topics().columns
    assert shown[3].split()[0] == d.topics()["query_id"][0]


@pytest.mark.parametrize(
    "arguments, words",
    [
        ((QRELS, RUNS, "--baseline", "bm25"), ("There are 5 runs", "--system bm25_long")),
        ((QRELS, BM25, "--baseline", "bm25"), ("There is one run",)),
        ((QRELS, BM25, LSA, "--baseline", "bm52"), ("baseline is 'bm52'", "Did you mean bm25?")),
        ((QRELS, BM25, LSA, "--baseline", "bm25", "--system", "lsi"), ("system is 'lsi'", "Did you mean lsa?")),
        ((QRELS, BM25, LSA, "--baseline", "bm25", "-m", "AP RR"), ("of 2 measures", "--measure AP")),
        ((QRELS, BM25, LSA, "--baseline", "bm25", "--query", "9"), ("no judgments of a query '9'",)),
        ((QRELS, BM25, LSA, "--baseline", "bm25", "--hardest", "--query", "1"), ("cannot be combined",)),
        ((QRELS, BM25, LSA, "--baseline", "bm25", "--by", "lang"), ("lang", "--queries queries.csv")),
    ],
)
def test_errors(arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    result = invoke("diagnose", *arguments)
    assert result.exit_code in (1, 2)
    for word in words:
        assert word in result.stderr
