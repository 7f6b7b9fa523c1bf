"""What a comparison gives: per query, summarized, as a matrix; from runs, two tables, items, and an evaluation."""

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
from tests.similarity.suite import some

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
def test_every_two_runs(engine: str) -> None:
    compared = ir.Similarity(RUNS, engine=engine).evaluate("Tau Overlap@1")
    per_unit = compared.per_unit()
    assert per_unit.columns == ["run_id", "other_run_id", "query_id", "measure", "value"]
    taus = per_unit.filter(measure="Tau").select("run_id", "other_run_id", "query_id", "value").rows()
    assert taus == [
        ("a", "b", "q1", pytest.approx(1 / 3)), ("a", "b", "q2", None), ("a", "c", "q1", -1.0), ("a", "c", "q2", None),
        ("b", "a", "q1", pytest.approx(1 / 3)), ("b", "a", "q2", None), ("b", "c", "q1", pytest.approx(-1 / 3)),
        ("b", "c", "q2", None),
        ("c", "a", "q1", -1.0), ("c", "a", "q2", None), ("c", "b", "q1", pytest.approx(-1 / 3)), ("c", "b", "q2", None),
    ]  # fmt: skip
    summary = compared.summary()
    assert summary.columns == ["run_id", "other_run_id", "measure", "value", "n_units", "n_undefined"]
    # One item, and a query that a run lacks, leave τ undefined; the overlap of the one item is 1.
    assert summary.row(0) == ("a", "b", "Tau", pytest.approx(1 / 3), 2, 1)
    assert summary.row(1) == ("a", "b", "Overlap@1", 0.5, 2, 0)
    assert compared.wide().row(0) == ("a", "b", pytest.approx(1 / 3), 0.5)
    assert "Overlap@1" in str(compared)


@engines
def test_matrix(engine: str) -> None:
    compared = ir.Similarity(RUNS, engine=engine).evaluate("Tau TauAP")
    matrix = compared.matrix("TauAP")
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
    """τ_AP of b against a weighs b's ranks."""
    a, b = ir.similarity.ranking("a b c d"), ir.similarity.ranking("a c d b")
    both = pl.concat([a.with_columns(ranking=pl.lit("a")), b.with_columns(ranking=pl.lit("b"))])
    matrix = ir.Similarity(both, engine=engine).evaluate("TauAP").matrix()
    # b: of the items above c all are right, above d all, above b one of three.  a: above b one, above c one of two,
    # above d two of three.
    assert matrix["a"][1] == pytest.approx(2 / 3 * (1 + 1 + 1 / 3) - 1)
    assert matrix["b"][0] == pytest.approx(2 / 3 * (1 + 1 / 2 + 2 / 3) - 1)
    assert ir.Similarity(b, against=a, engine=engine).evaluate("TauAP").per_unit()["value"].item() == pytest.approx(
        matrix["a"][1]
    )


@engines
def test_two_tables(engine: str) -> None:
    """The runs of one table with those of the other, and not among themselves."""
    first, second = RUNS.filter(pl.col("run_id") != "c"), RUNS.filter(run_id="c").drop("run_id")
    compared = ir.Similarity(first, against=second, engine=engine).evaluate("Tau NumCommon")
    assert compared.wide().rows() == [("a", "against", -1.0, 3.0), ("b", "against", pytest.approx(-1 / 3), 3.0)]
    assert compared.per_unit(counts=True)["n_common"].to_list() == [3, 3, None, None, 3, 3, None, None]


@engines
def test_groups(engine: str) -> None:
    runs = RUNS.with_columns(
        segment=pl.when(pl.col("query_id") == "q1").then(pl.lit("long")).otherwise(pl.lit("short"))
    )
    compared = ir.Similarity(runs, by="segment", engine=engine).evaluate("Tau")
    assert compared.summary().columns == [
        "run_id",
        "other_run_id",
        "segment",
        "measure",
        "value",
        "n_units",
        "n_undefined",
    ]
    assert compared.summary().row(0) == ("a", "b", "long", "Tau", pytest.approx(1 / 3), 1, 0)
    assert compared.matrix().columns == ["segment", "run_id", "a", "b", "c"]


@engines
def test_two_evaluations(engine: str) -> None:
    """The orders of systems by the measures of one with those by the measures of another; and with a table of them."""
    one = pl.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["x", "y"], "relevance": [1, 2]})
    other = pl.DataFrame({"query_id": ["q1"], "doc_id": ["z"], "relevance": [1]})
    first, second = ir.evaluate(one, RUNS, "nDCG RR"), ir.evaluate(other, RUNS, "RR")
    compared = ir.Similarity(first, against=second, engine=engine).evaluate("Tau")
    assert compared.per_unit().columns == ["ranking", "other_ranking", "measure", "value"]
    wide = [e.wide().sort("run_id") for e in (first, second)]
    expected = [pl.select(pl.corr(wide[0][m].rank(), wide[1]["RR"].rank())).item() for m in ("RR", "nDCG")]
    spearman = ir.Similarity(first, against=second, engine=engine).evaluate("Spearman").per_unit()["value"].to_list()
    assert spearman == pytest.approx(expected)
    assert ir.Similarity(first, against=second.summary(), engine=engine).evaluate("Tau").wide().equals(compared.wide())
    # Ranks of an evaluation count from the first, also where smaller scores of the other table stand first.
    turned = second.summary().with_columns(-pl.col("value"))
    made = ir.Similarity(first, against=turned, descending=False, engine=engine).evaluate("Tau")
    assert made.wide().equals(compared.wide())


@engines
def test_groups_of_evaluations(engine: str) -> None:
    """The groups of an evaluation are those of its orders."""
    qrels = pl.DataFrame({"query_id": ["q1", "q2"], "doc_id": ["x", "x"], "relevance": [1, 1], "part": ["a", "b"]})
    made = ir.Similarity(ir.evaluate(qrels, RUNS, "RR nDCG", by="part"), engine=engine).evaluate("Tau")
    assert made.summary().columns[:3] == ["ranking", "other_ranking", "part"]
    assert made.summary()["part"].to_list() == ["a", "b", "a", "b"]


@engines
def test_systems_by_two_measures(engine: str) -> None:
    """An evaluation's runs as its measures order them."""
    qrels = pl.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["x", "y"], "relevance": [1, 2]})
    evaluation = ir.evaluate(qrels, RUNS, "nDCG P@1 RR")
    compared = ir.Similarity(evaluation, engine=engine).evaluate("Tau(variant='a') Spearman")
    assert compared.wide().columns == ["ranking", "other_ranking", "Tau(variant='a')", "Spearman"]
    assert compared.matrix("Spearman").columns == ["ranking", "P@1", "RR", "nDCG"]
    wide = evaluation.wide()
    for row in compared.wide().iter_rows(named=True):
        one, other = wide[row["ranking"]], wide[row["other_ranking"]]
        expected = pl.select(pl.corr(one.rank(), other.rank())).item()
        assert row["Spearman"] == pytest.approx(expected)
    same = ir.Similarity(evaluation.summary(), engine=engine).evaluate("Tau(variant='a') Spearman")
    assert same.wide().equals(compared.wide())


def test_lower_is_better() -> None:
    """A measure of cost puts the cheapest run first."""
    found = ir.RR.definition
    qrels = pl.DataFrame({"query_id": ["q1"], "doc_id": ["x"], "relevance": [1]})
    with catalog.restored():
        catalog.register(
            dataclasses.replace(
                found,
                name="Cost",
                aliases=(),
                trec=(),
                higher_is_better=False,
                function=lambda q, **given: 1.0 - found.function(q, **given),
            )
        )
        order = ir.Similarity(ir.evaluate(qrels, RUNS, "RR Cost")).evaluate("Tau").matrix()["RR"].to_list()
    assert order == [1.0, None]


@engines
def test_columns_and_orders(engine: str) -> None:
    one = pl.DataFrame({"name": [1, 2, 3], "cost": [5, 6, 7]})
    other = pl.DataFrame({"name": [1, 2, 3], "place": [1, 2, 3]})
    names = {"item": "name", "score": "cost"}
    compared = ir.Similarity(one, against=other.rename({"place": "cost"}), columns=names, engine=engine).evaluate("Tau")
    assert compared.per_unit()["value"].item() == 1.0
    one = one.rename({"name": "item", "cost": "score"})
    other = other.rename({"name": "item", "place": "rank"})
    assert ir.Similarity(one, against=other, engine=engine).evaluate("Tau").per_unit()["value"].item() == -1.0
    assert (
        ir.Similarity(one, against=other, descending=False, engine=engine).evaluate("Tau").per_unit()["value"].item()
        == 1.0
    )


@engines
def test_ties_and_depth(engine: str) -> None:
    one, other = ir.similarity.ranking("a (b c) d"), ir.similarity.ranking("a b c d")
    one = one.with_columns(score=-pl.col("rank").cast(pl.Float64)).drop("rank")

    subject = ir.Similarity(one, against=other, engine=engine)

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
    compared = ir.Similarity(str(tmp_path / "*.run")).evaluate("Tau")
    assert compared.per_unit().equals(ir.Similarity(RUNS).evaluate("Tau").per_unit())
    two = ir.Similarity(tmp_path / "a.run", against=tmp_path / "c.run").evaluate("Tau")
    assert two.wide().row(0) == ("a", "c", -1.0)


@engines
@pytest.mark.parametrize("end", ["csv", "parquet"])
def test_files_of_items(end: str, engine: str, tmp_path: Path) -> None:
    """A table of items in an order is no run: its columns are what they are called."""
    frame = pl.DataFrame({"name": ["u", "v", "w"], "cost": [3.0, 20.0, 100.0]})
    paths = [tmp_path / f"{name}.{end}" for name in ("one", "other")]
    for path, rows in zip(paths, (frame, frame.with_columns(cost=pl.Series([3.0, 100.0, 20.0]))), strict=True):
        rows.write_csv(path) if end == "csv" else rows.write_parquet(path)
    made = ir.Similarity(paths[0], against=paths[1], columns={"item": "name", "score": "cost"}, engine=engine)
    compared = made.evaluate("Tau NumCommon")
    assert compared.wide().row(0) == ("run", "against", pytest.approx(1 / 3), 3.0)
    with duckdb.connect() as connection:
        assert connection.sql(compared.per_unit.sql(wide=True)).pl().equals(compared.per_unit(wide=True))


@pytest.mark.parametrize("items", [60, 400])
def test_in_parts(items: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many runs are compared a part at a time, with the same values."""
    lists, measures = make_case(11, runs=4), some(11, 1)
    whole = ir.Similarity(frame(lists)).evaluate(measures)
    monkeypatch.setattr(evaluation, "PART_ITEMS", items)
    parts = ir.Similarity(frame(lists)).evaluate(measures)
    made = parts._planned.parts()
    assert len(made) > 3
    assert values(parts) == pytest.approx(values(whole), abs=1e-13)
    assert parts.summary()["n_units"].to_list() == whole.summary()["n_units"].to_list()
    assert parts.per_unit(counts=True)["n_common"].equals(whole.per_unit(counts=True)["n_common"])


@engines
def test_order_and_ids_do_not_matter(engine: str) -> None:
    lists, measures = make_case(12, queries=12), some(12, 2)
    runs = frame(lists)
    expected = values(ir.Similarity(runs, engine=engine).evaluate(measures))
    shuffled = runs.sample(fraction=1.0, shuffle=True, seed=1).with_columns(doc_id=pl.col("doc_id").str.reverse() + "é")
    assert values(ir.Similarity(shuffled, engine=engine).evaluate(measures)) == pytest.approx(expected, abs=1e-13)


def test_explanation_and_provenance() -> None:
    compared = ir.Similarity(RUNS, policy={"items": "common"}).evaluate("Tau RBO")
    told = compared.explain()
    assert "compared" in told
    assert "items = common" in told
    assert compared.provenance["family"] == "similarity"
    expected = {"ties": "tied", "items": "common", "missing": "null", "depth": None, "overlap": "error"}
    assert compared.provenance["policy"] == expected
    assert compared.per_unit.to_native().collect().height == len(compared.per_unit())


LEVEL = """
import pathlib, ireval_frames as ir
from tests.similarity.cases import frame, make_case
runs, seen = frame(make_case(3, queries=2)), []
for i in range(90):
    ir.Similarity(runs).evaluate("Tau RBO Overlap@2").summary()
    if i in (29, 89):
        status = dict(line.split(":", 1) for line in pathlib.Path("/proc/self/status").read_text().splitlines())
        seen.append([int(status[name].split()[0]) for name in ("VmRSS", "Threads")])
print(seen[1][0] - seen[0][0], seen[1][1] - seen[0][1])
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell how much memory there is")
def test_memory_and_threads_stay_level() -> None:
    """Between the thirtieth and the ninetieth comparison of one process: an eighth of a megabyte each at the most."""
    done = subprocess.run([sys.executable, "-c", LEVEL], capture_output=True, text=True, check=True)
    kilobytes, threads = map(int, done.stdout.split())
    assert kilobytes < 7_500
    assert threads <= 1
