"""`ireval sql`: the statement gives what `ireval evaluate` gives."""

import gzip
import io
from pathlib import Path

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from tests.cli.commands import BM25, DATA, QRELS, RUNS, invoke

MEASURES = "nDCG@10 AP RR P@10 R@100"


def _evaluated(qrels: object, *runs: object) -> pl.DataFrame:
    result = invoke("evaluate", qrels, *runs, "-m", MEASURES, "-q", "--format", "csv")
    assert result.exit_code == 0, result.stderr
    long = pl.read_csv(io.StringIO(result.stdout), schema_overrides={"run_id": pl.String, "query_id": pl.String})
    return long.pivot(on="measure", index=["run_id", "query_id"], values="value").sort("run_id", "query_id")


def _same(qrels: object, *runs: object) -> None:
    result = invoke("sql", "--wide", qrels, *runs, "-m", MEASURES)
    assert result.exit_code == 0, result.stderr
    actual = duckdb.connect().sql(result.stdout).pl().sort("run_id", "query_id")
    actual = actual.with_columns(pl.col("query_id").cast(pl.String))
    expected = _evaluated(qrels, *runs)
    assert actual.columns == expected.columns
    assert actual.select("run_id", "query_id").equals(expected.select("run_id", "query_id"))
    for name in MEASURES.split():
        assert (actual[name] - expected[name]).abs().max() < 1e-12


def test_trec_files() -> None:
    _same(QRELS, BM25)
    _same(QRELS, RUNS)


@pytest.fixture
def run() -> pl.DataFrame:
    frame = pl.read_csv(
        BM25, separator=" ", has_header=False, new_columns=["query_id", "q0", "doc_id", "rank", "score", "tag"]
    )
    return frame.select(pl.col("query_id").cast(pl.String), "doc_id", "score")


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "jsonl"])
def test_tables(run: pl.DataFrame, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"named.{suffix}"
    renamed = run.select(sim="score", docno="doc_id", qid="query_id")
    match suffix:
        case "parquet":
            renamed.write_parquet(path)
        case "jsonl":
            renamed.write_ndjson(path)
        case _:
            renamed.write_csv(path, separator="," if suffix == "csv" else "\t")
    _same(QRELS, path)


def test_irregular_text(tmp_path: Path) -> None:
    lines = Path(BM25).read_text().splitlines()
    odd = [
        "# a comment",
        "",
        *(line.replace(" ", "\t", 1).replace(" Q0 ", "  Q0 \t") for line in lines[:500]),
        "  " + lines[500] + " \r",
    ]
    path = tmp_path / "it's [odd].run"
    path.write_text("\n".join(odd) + "\n")
    _same(QRELS, path)
    (tmp_path / "crlf.run").write_bytes("\r\n".join(lines).encode() + b"\r\n")
    _same(QRELS, tmp_path / "crlf.run")


def test_compressed_files(tmp_path: Path) -> None:
    (tmp_path / "zipped.run.gz").write_bytes(gzip.compress(Path(BM25).read_bytes()))
    _same(QRELS, tmp_path / "zipped.run.gz")
    import bz2

    (tmp_path / "zipped.run.bz2").write_bytes(bz2.compress(Path(BM25).read_bytes()))
    refused = invoke("sql", "--wide", QRELS, tmp_path / "zipped.run.bz2")
    assert refused.exit_code == 1
    assert "gzip" in refused.stderr


def test_a_wrong_line_is_no_silent_null(tmp_path: Path) -> None:
    path = tmp_path / "short.run"
    path.write_text("# odd\n101 Q0 a 1 2.5 t\n101 Q0 b 2 t\n")
    statement = invoke("sql", "--wide", QRELS, path, "-m", "AP").stdout
    with pytest.raises(duckdb.Error, match="has not 6 fields"):
        duckdb.connect().sql(statement).fetchall()


def test_arrow_files_are_refused_with_what_to_write(run: pl.DataFrame, tmp_path: Path) -> None:
    run.write_ipc(tmp_path / "run.arrow")
    refused = invoke("sql", "--wide", QRELS, tmp_path / "run.arrow")
    assert refused.exit_code == 1
    assert "Parquet" in refused.stderr


def test_summary_and_groups() -> None:
    statement = invoke("sql", "--wide", QRELS, RUNS, "-m", "AP", "--result", "summary").stdout
    actual = duckdb.connect().sql(statement).pl().sort("run_id")
    expected = pl.read_csv(io.StringIO(invoke("evaluate", QRELS, RUNS, "-m", "AP", "--format", "csv").stdout))
    assert actual["run_id"].to_list() == expected["run_id"].to_list()
    assert (actual["AP"] - expected["value"]).abs().max() < 1e-12
    grouped = invoke(
        "sql", QRELS, BM25, "-m", "AP", "--queries", DATA / "topics.tsv", "--by", "group", "--result", "summary"
    ).stdout
    assert "group" in duckdb.connect().sql(grouped).columns


def test_standard_input_is_refused() -> None:
    assert invoke("sql", "--wide", QRELS, "-").exit_code == 2


def test_columns_are_named(tmp_path: Path) -> None:
    qrels, run = str(tmp_path / "qrels.parquet"), str(tmp_path / "run.parquet")
    ir.read_qrels(QRELS).rename({"query_id": "search_id"}).write_parquet(qrels)
    ir.read_run(BM25).rename({"query_id": "search_id", "score": "match"}).write_parquet(run)
    columns = ("--column", "query_id=search_id", "--column", "run.score=match")
    result = invoke("sql", qrels, run, "-m", "AP", "--result", "summary", *columns)
    assert result.exit_code == 0, result.stderr
    ((value,),) = duckdb.connect().sql(result.stdout).select("value").fetchall()
    assert value == pytest.approx(ir.evaluate(QRELS, BM25, "AP").summary()["value"].item(), abs=1e-12)
    wrong = invoke("sql", qrels, run, "-m", "AP", "--column", "run.relevance=match")
    assert wrong.exit_code == 2
    assert "run.relevance" in wrong.stderr
