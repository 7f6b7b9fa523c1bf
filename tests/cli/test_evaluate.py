"""`ireval evaluate`: what it prints and writes."""

import gzip
import io
import json
import math

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from tests.cli.commands import BM25, DATA, QRELS, RUNS, invoke, lines


def test_one_run_stands_upright_and_several_are_rows() -> None:
    assert lines(invoke("evaluate", QRELS, BM25, "-m", "AP NumRet")) == [
        "measure   value",
        "AP       0.3084",
        "NumRet    10076",
    ]
    table = lines(invoke("evaluate", QRELS, RUNS, "-m", "AP", "-m", "nDCG@10"))
    assert table[0].split() == ["run_id", "AP", "nDCG@10"]
    assert [line.split()[0] for line in table[1:]] == ["bm25", "bm25_long", "lsa", "names", "tfidf"]


def test_default_measures() -> None:
    assert [line.split()[0] for line in lines(invoke("evaluate", QRELS, BM25))[1:]] == [
        "nDCG@10",
        "AP",
        "RR",
        "P@10",
        "R@100",
    ]


def test_measures_may_follow_the_runs_and_be_names_of_trec_eval() -> None:
    expected = lines(invoke("evaluate", QRELS, BM25, "-m", "nDCG@10 AP P(rel=2)@5"))
    assert lines(invoke("evaluate", QRELS, BM25, "nDCG@10", "map", "P(rel=2)@5")) == expected
    assert lines(invoke("evaluate", QRELS, BM25, "-m", "ndcg_cut_10", "map", "P(rel=2)@5")) == expected


def test_a_file_named_like_a_measure_is_a_run(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "AP").write_bytes((DATA / "runs" / "lsa.txt").read_bytes())
    table = lines(invoke("evaluate", QRELS, BM25, "AP", "-m", "RR"))
    assert table[0].split() == ["run_id", "RR"]
    assert sorted(line.split()[0] for line in table[1:]) == ["AP", "bm25"]


@pytest.mark.parametrize("each", [(), ("--per-unit",)])
def test_csv_json_and_parquet_hold_the_frame_in_full(each, tmp_path) -> None:
    evaluation = ir.evaluate(QRELS, BM25, "AP nDCG@10")
    expected = evaluation.per_unit() if each else evaluation.summary()
    options = ["-m", "AP nDCG@10", *each]
    csv = invoke("evaluate", QRELS, BM25, *options, "--format", "csv")
    read = pl.read_csv(io.StringIO(csv.stdout), schema=expected.schema)
    assert_frame_equal(read, expected, rel_tol=1e-14)
    rows = json.loads(invoke("evaluate", QRELS, BM25, *options, "--format", "json").stdout)
    assert_frame_equal(pl.DataFrame(rows, schema=expected.schema), expected, rel_tol=1e-14)
    path = tmp_path / "values.parquet"
    assert invoke("evaluate", QRELS, BM25, *options, "-o", path).exit_code == 0
    assert_frame_equal(pl.read_parquet(path), expected, rel_tol=1e-14)


def test_per_query_table_has_a_row_per_query() -> None:
    table = lines(invoke("evaluate", QRELS, BM25, "-q", "-m", "AP"))
    assert table[0].split() == ["query_id", "AP"]
    assert len(table) == 1 + ir.evaluate(QRELS, BM25, "AP").per_unit().height


def test_trec_columns() -> None:
    printed = lines(
        invoke(
            "evaluate",
            QRELS,
            BM25,
            "-m",
            "AP P@5 IPrec@0.1 P(rel=2)@5 AP(aggregation='geometric') NumQ",
            "--format",
            "trec",
        )
    )
    assert [line.split("\t")[0].strip() for line in printed] == [
        "map",
        "P_5",
        "iprec_at_recall_0.10",
        "P(rel=2)@5",
        "gm_map",
        "num_q",
    ]
    assert printed[0] == "map                   \tall\t0.3084"
    assert invoke("evaluate", QRELS, RUNS, "--format", "trec").exit_code == 2


def test_groups_of_queries() -> None:
    table = lines(invoke("evaluate", QRELS, BM25, "-m", "AP", "--queries", DATA / "topics.tsv", "--by", "group"))
    assert table[0].split() == ["group", "AP"]
    assert len(table) > 2


def test_engines_agree() -> None:
    values = {}
    for engine in ("polars", "duckdb"):
        result = invoke("evaluate", QRELS, RUNS, "--engine", engine, "--format", "csv")
        values[engine] = pl.read_csv(io.StringIO(result.stdout))["value"].to_list()
    assert all(math.isclose(a, b, rel_tol=1e-12) for a, b in zip(values["polars"], values["duckdb"], strict=True))


def test_policies_change_numbers(tmp_path) -> None:
    run = tmp_path / "part.run"
    run.write_text(
        "".join(
            line
            for line in (DATA / "runs" / "bm25.txt").read_text().splitlines(keepends=True)
            if line.startswith("101 ")
        )
    )
    every = lines(invoke("evaluate", QRELS, run, "-m", "NumQ"))
    part = lines(invoke("evaluate", QRELS, run, "-m", "NumQ", "--policy", "trec_eval-9,missing=skip"))
    assert int(every[1].split()[1]) > int(part[1].split()[1]) == 1


def test_output_is_whole_or_not_at_all(tmp_path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("before")
    assert invoke("evaluate", QRELS, tmp_path / "none.run", "-o", path).exit_code == 1
    assert path.read_text() == "before"
    assert invoke("evaluate", QRELS, BM25, "-o", path).exit_code == 0
    assert path.read_text().startswith("run_id,measure,value")
    assert [p.name for p in tmp_path.iterdir()] == ["out.csv"]
    missing = invoke("evaluate", QRELS, BM25, "-o", tmp_path / "no" / "out.csv")
    assert missing.exit_code == 1
    assert "no folder" in missing.stderr


def test_the_name_of_the_file_tells_format_and_compression(tmp_path) -> None:
    assert invoke("evaluate", QRELS, BM25, "-o", tmp_path / "v.csv.gz").exit_code == 0
    assert gzip.decompress((tmp_path / "v.csv.gz").read_bytes()).startswith(b"run_id,measure")
    assert invoke("evaluate", QRELS, BM25, "-o", tmp_path / "v.txt").exit_code == 0
    assert (tmp_path / "v.txt").read_text() == invoke("evaluate", QRELS, BM25).stdout
    assert invoke("evaluate", QRELS, BM25, "-o", tmp_path / "v.tsv").exit_code == 2


def test_version() -> None:
    assert lines(invoke("--version")) == [f"ireval {ir.__version__}"]
