"""Results of comparisons: per query, summaries and matrices; of runs, two tables, items and evaluations."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.similarity import evaluation
from tests.contract.kit import values
from tests.similarity.cases import frame, make_case
from tests.similarity.suite import sample

ENGINES = ("polars", "duckdb")
engines = pytest.mark.parametrize("engine", ENGINES)
RUNS = pl.DataFrame(
    [
        ("a", "q1", "x", 3.0), ("a", "q1", "y", 2.0), ("a", "q1", "z", 1.0), ("a", "q2", "x", 1.0),
        ("b", "q1", "y", 3.0), ("b", "q1", "x", 2.0), ("b", "q1", "z", 1.0), ("b", "q2", "x", 1.0),
        ("c", "q1", "z", 3.0), ("c", "q1", "y", 2.0), ("c", "q1", "x", 1.0),
    ],
    schema=["run_id", "query_id", "doc_id", "score"],
    orient="row",
)  # fmt: skip


@engines
def test_all_pairs_of_runs(engine: str) -> None:
    comparison = ir.Similarity(RUNS, engine=engine).evaluate("Tau Overlap@1")
    per_unit = comparison.per_unit()
    assert per_unit.columns == ["run_id", "other_run_id", "query_id", "measure", "value"]
    taus = per_unit.filter(measure="Tau").select("run_id", "other_run_id", "query_id", "value").rows()
    assert taus == [
        ("a", "b", "q1", pytest.approx(1 / 3)), ("a", "b", "q2", None), ("a", "c", "q1", -1.0), ("a", "c", "q2", None),
        ("b", "a", "q1", pytest.approx(1 / 3)), ("b", "a", "q2", None), ("b", "c", "q1", pytest.approx(-1 / 3)),
        ("b", "c", "q2", None),
        ("c", "a", "q1", -1.0), ("c", "a", "q2", None), ("c", "b", "q1", pytest.approx(-1 / 3)), ("c", "b", "q2", None),
    ]  # fmt: skip
    summary = comparison.summary()
    assert summary.columns == ["run_id", "other_run_id", "measure", "value", "n_units", "n_undefined"]
    # τ is undefined for a single item and for a query that a run lacks; the overlap of a single item is 1.
    assert summary.row(0) == ("a", "b", "Tau", pytest.approx(1 / 3), 2, 1)
    assert summary.row(1) == ("a", "b", "Overlap@1", 0.5, 2, 0)
    assert comparison.wide().row(0) == ("a", "b", pytest.approx(1 / 3), 0.5)
    assert "Overlap@1" in str(comparison)


@engines
def test_matrix(engine: str) -> None:
    comparison = ir.Similarity(RUNS, engine=engine).evaluate("Tau TauAP")
    matrix = comparison.matrix("TauAP")
    assert matrix.columns == ["run_id", "a", "b", "c"]
    assert matrix["run_id"].to_list() == ["a", "b", "c"]
    assert [matrix["abc"[i]][i] for i in range(3)] == [None] * 3
    itself = ir.Similarity(RUNS, itself=True, engine=engine).evaluate("Tau").matrix()
    assert itself.rows() == [
        ("a", 1.0, pytest.approx(1 / 3), -1.0),
        ("b", pytest.approx(1 / 3), 1.0, pytest.approx(-1 / 3)),
        ("c", -1.0, pytest.approx(-1 / 3), 1.0),
    ]


@engines
def test_the_measured_ranking_comes_first(engine: str) -> None:
    """τ_AP of b against a weights the ranks of b."""
    a, b = ir.similarity.ranking("a b c d"), ir.similarity.ranking("a c d b")
    rankings = pl.concat([a.with_columns(ranking=pl.lit("a")), b.with_columns(ranking=pl.lit("b"))])
    matrix = ir.Similarity(rankings, engine=engine).evaluate("TauAP").matrix()
    # b: all items above c and d are in order, and one of three above b.  a: the item above b, one of two above c, two
    # of three above d.
    assert matrix["a"][1] == pytest.approx(2 / 3 * (1 + 1 + 1 / 3) - 1)
    assert matrix["b"][0] == pytest.approx(2 / 3 * (1 + 1 / 2 + 2 / 3) - 1)
    assert ir.Similarity(b, against=a, engine=engine).evaluate("TauAP").per_unit()["value"].item() == pytest.approx(
        matrix["a"][1]
    )


@engines
def test_two_tables(engine: str) -> None:
    """Runs of one table are compared with those of the other, not with each other."""
    first, second = RUNS.filter(pl.col("run_id") != "c"), RUNS.filter(run_id="c").drop("run_id")
    comparison = ir.Similarity(first, against=second, engine=engine).evaluate("Tau NumCommon")
    assert comparison.wide().rows() == [("a", "against", -1.0, 3.0), ("b", "against", pytest.approx(-1 / 3), 3.0)]
    assert comparison.per_unit(counts=True)["n_common"].to_list() == [3, 3, None, None, 3, 3, None, None]


@engines
def test_groups(engine: str) -> None:
    runs = RUNS.with_columns(
        segment=pl.when(pl.col("query_id") == "q1").then(pl.lit("long")).otherwise(pl.lit("short"))
    )
    comparison = ir.Similarity(runs, by="segment", engine=engine).evaluate("Tau")
    assert comparison.summary().columns == [
        "run_id",
        "other_run_id",
        "segment",
        "measure",
        "value",
        "n_units",
        "n_undefined",
    ]
    assert comparison.summary().row(0) == ("a", "b", "long", "Tau", pytest.approx(1 / 3), 1, 0)
    assert comparison.matrix().columns == ["segment", "run_id", "a", "b", "c"]


@engines
def test_two_evaluations(engine: str) -> None:
    """Orders of systems by measures of two evaluations, or of an evaluation and a table of summaries."""
    first_qrels = pl.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["x", "y"], "relevance": [1, 2]})
    second_qrels = pl.DataFrame({"query_id": ["q1"], "doc_id": ["z"], "relevance": [1]})
    first, second = ir.evaluate(first_qrels, RUNS, "nDCG RR"), ir.evaluate(second_qrels, RUNS, "RR")
    comparison = ir.Similarity(first, against=second, engine=engine).evaluate("Tau")
    assert comparison.per_unit().columns == ["ranking", "other_ranking", "measure", "value"]
    wide = [e.wide().sort("run_id") for e in (first, second)]
    expected = [pl.select(pl.corr(wide[0][m].rank(), wide[1]["RR"].rank())).item() for m in ("RR", "nDCG")]
    spearman = ir.Similarity(first, against=second, engine=engine).evaluate("Spearman").per_unit()["value"].to_list()
    assert spearman == pytest.approx(expected)
    assert (
        ir.Similarity(first, against=second.summary(), engine=engine).evaluate("Tau").wide().equals(comparison.wide())
    )
    # Ranks of an evaluation are ascending, also if smaller scores of the other table rank first.
    negated = second.summary().with_columns(-pl.col("value"))
    subject = ir.Similarity(first, against=negated, descending=False, engine=engine).evaluate("Tau")
    assert subject.wide().equals(comparison.wide())


@engines
def test_groups_of_evaluations(engine: str) -> None:
    """Groups of an evaluation become groups of its orders."""
    qrels = pl.DataFrame({"query_id": ["q1", "q2"], "doc_id": ["x", "x"], "relevance": [1, 1], "part": ["a", "b"]})
    subject = ir.Similarity(ir.evaluate(qrels, RUNS, "RR nDCG", by="part"), engine=engine).evaluate("Tau")
    assert subject.summary().columns[:3] == ["ranking", "other_ranking", "part"]
    assert subject.summary()["part"].to_list() == ["a", "b", "a", "b"]


@engines
def test_systems_by_two_measures(engine: str) -> None:
    """Orders of an evaluation's runs by its measures."""
    qrels = pl.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["x", "y"], "relevance": [1, 2]})
    evaluation = ir.evaluate(qrels, RUNS, "nDCG P@1 RR")
    comparison = ir.Similarity(evaluation, engine=engine).evaluate("Tau(variant='a') Spearman")
    assert comparison.wide().columns == ["ranking", "other_ranking", "Tau(variant='a')", "Spearman"]
    assert comparison.matrix("Spearman").columns == ["ranking", "P@1", "RR", "nDCG"]
    wide = evaluation.wide()
    for row in comparison.wide().iter_rows(named=True):
        first_systems, second_systems = wide[row["ranking"]], wide[row["other_ranking"]]
        expected = pl.select(pl.corr(first_systems.rank(), second_systems.rank())).item()
        assert row["Spearman"] == pytest.approx(expected)
    from_table = ir.Similarity(evaluation.summary(), engine=engine).evaluate("Tau(variant='a') Spearman")
    assert from_table.wide().equals(comparison.wide())


def test_lower_is_better() -> None:
    """By a measure of cost, the run with the smallest value is first."""
    original = ir.RR.definition
    qrels = pl.DataFrame({"query_id": ["q1"], "doc_id": ["x"], "relevance": [1]})
    with catalog.restored():
        catalog.register(
            dataclasses.replace(
                original,
                name="Cost",
                aliases=(),
                trec=(),
                higher_is_better=False,
                function=lambda q, **parameters: 1.0 - original.function(q, **parameters),
            )
        )
        order = ir.Similarity(ir.evaluate(qrels, RUNS, "RR Cost")).evaluate("Tau").matrix()["RR"].to_list()
    assert order == [1.0, None]


@engines
def test_columns_and_orders(engine: str) -> None:
    first = pl.DataFrame({"name": [1, 2, 3], "cost": [5, 6, 7]})
    second = pl.DataFrame({"name": [1, 2, 3], "place": [1, 2, 3]})
    names = {"item": "name", "score": "cost"}
    comparison = ir.Similarity(first, against=second.rename({"place": "cost"}), columns=names, engine=engine).evaluate(
        "Tau"
    )
    assert comparison.per_unit()["value"].item() == 1.0
    first = first.rename({"name": "item", "cost": "score"})
    second = second.rename({"name": "item", "place": "rank"})
    assert ir.Similarity(first, against=second, engine=engine).evaluate("Tau").per_unit()["value"].item() == -1.0
    assert (
        ir.Similarity(first, against=second, descending=False, engine=engine).evaluate("Tau").per_unit()["value"].item()
        == 1.0
    )


@engines
def test_ties_and_depth(engine: str) -> None:
    first, second = ir.similarity.ranking("a (b c) d"), ir.similarity.ranking("a b c d")
    first = first.with_columns(score=-pl.col("rank").cast(pl.Float64)).drop("rank")

    subject = ir.Similarity(first, against=second, engine=engine)

    def tau(**policy: object) -> float:
        return subject.evaluate("Tau", policy=policy).per_unit()["value"].item()

    assert tau() == pytest.approx(5 / 30**0.5)
    assert tau(ties="trec_eval") == pytest.approx(4 / 6)
    assert tau(ties="doc_id") == 1.0
    assert tau(depth=2, ties="doc_id") == 1.0
    deep = subject.evaluate("NumCommon Overlap", policy=ir.similarity.SimilarityPolicy(depth=2, ties="doc_id"))
    assert deep.wide().row(0)[2:] == (2.0, 1.0)


@engines
def test_missing_queries(engine: str) -> None:
    runs = RUNS.filter(~((pl.col("run_id") == "b") & (pl.col("query_id") == "q2")))
    assert ir.Similarity(runs, engine=engine).evaluate("RBO").summary()["n_undefined"].to_list() == [1, 1, 1, 0, 1, 0]
    assert (
        ir.Similarity(runs, engine=engine, policy={"missing": "skip"}).evaluate("RBO").summary()["n_units"].to_list()
        == [1] * 6
    )
    with pytest.raises(ir.errors.IrevalError, match=r"one of the two rankings is missing: 'a' and '[bc]', query 'q2'"):
        ir.Similarity(runs, engine=engine, policy={"missing": "error"}).evaluate("RBO").summary()


def test_files(tmp_path: Path) -> None:
    for run, rows in RUNS.group_by("run_id"):
        ir.io.write_run(rows, tmp_path / f"{run[0]}.run")
    comparison = ir.Similarity(str(tmp_path / "*.run")).evaluate("Tau")
    assert comparison.per_unit().equals(ir.Similarity(RUNS).evaluate("Tau").per_unit())
    two_files = ir.Similarity(tmp_path / "a.run", against=tmp_path / "c.run").evaluate("Tau")
    assert two_files.wide().row(0) == ("a", "c", -1.0)


@engines
@pytest.mark.parametrize("extension", ["csv", "parquet"])
def test_files_of_items(extension: str, engine: str, tmp_path: Path) -> None:
    """A table of ordered items is not read as a run: its columns keep their names."""
    frame = pl.DataFrame({"name": ["u", "v", "w"], "cost": [3.0, 20.0, 100.0]})
    paths = [tmp_path / f"{name}.{extension}" for name in ("one", "other")]
    for path, rows in zip(paths, (frame, frame.with_columns(cost=pl.Series([3.0, 100.0, 20.0]))), strict=True):
        rows.write_csv(path) if extension == "csv" else rows.write_parquet(path)
    subject = ir.Similarity(paths[0], against=paths[1], columns={"item": "name", "score": "cost"}, engine=engine)
    comparison = subject.evaluate("Tau NumCommon")
    assert comparison.wide().row(0) == ("run", "against", pytest.approx(1 / 3), 3.0)
    with duckdb.connect() as connection:
        assert connection.sql(comparison.per_unit.sql(wide=True)).pl().equals(comparison.per_unit(wide=True))


@pytest.mark.parametrize("items", [60, 400])
def test_comparison_in_parts(items: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many runs are compared in parts, with the same values."""
    lists, measures = make_case(11, runs=4), sample(11, 1)
    expected = ir.Similarity(frame(lists)).evaluate(measures)
    monkeypatch.setattr(evaluation, "PART_ITEMS", items)
    parts = ir.Similarity(frame(lists)).evaluate(measures)
    part_bounds = parts._planned.parts()
    assert len(part_bounds) > 3
    assert values(parts) == pytest.approx(values(expected), abs=1e-13)
    assert parts.summary()["n_units"].to_list() == expected.summary()["n_units"].to_list()
    assert parts.per_unit(counts=True)["n_common"].equals(expected.per_unit(counts=True)["n_common"])


@engines
def test_order_and_ids_do_not_matter(engine: str) -> None:
    lists, measures = make_case(12, queries=12), sample(12, 2)
    runs = frame(lists)
    expected = values(ir.Similarity(runs, engine=engine).evaluate(measures))
    shuffled = runs.sample(fraction=1.0, shuffle=True, seed=1).with_columns(doc_id=pl.col("doc_id").str.reverse() + "é")
    assert values(ir.Similarity(shuffled, engine=engine).evaluate(measures)) == pytest.approx(expected, abs=1e-13)


def test_explanation_and_provenance() -> None:
    comparison = ir.Similarity(RUNS, policy={"items": "common"}).evaluate("Tau RBO")
    text = comparison.explain()
    assert "compared" in text
    assert "items = common" in text
    assert comparison.provenance["family"] == "similarity"
    expected = {"ties": "tied", "items": "common", "missing": "null", "depth": None, "overlap": "error"}
    assert comparison.provenance["policy"] == expected
    assert comparison.per_unit.to_native().collect().height == len(comparison.per_unit())


LEVEL = """
import pathlib, ireval_frames as ir
from tests.similarity.cases import frame, make_case
runs, levels = frame(make_case(3, queries=2)), []
for i in range(90):
    ir.Similarity(runs).evaluate("Tau RBO Overlap@2").summary()
    if i in (29, 89):
        status = dict(line.split(":", 1) for line in pathlib.Path("/proc/self/status").read_text().splitlines())
        levels.append([int(status[name].split()[0]) for name in ("VmRSS", "Threads")])
print(levels[1][0] - levels[0][0], levels[1][1] - levels[0][1])
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not report memory")
def test_memory_and_threads_stay_level() -> None:
    """From the thirtieth to the ninetieth comparison of a process, memory grows by at most 1/8 MB per comparison."""
    process = subprocess.run([sys.executable, "-c", LEVEL], capture_output=True, text=True, check=True)
    kilobytes, threads = map(int, process.stdout.split())
    assert kilobytes < 7_500
    assert threads <= 1
