"""Tables with partial overlap: one warning with counts and the first ids, `coverage()`, and results that mention it."""

from __future__ import annotations

import warnings
from typing import Any

import polars as pl
import polars.selectors as cs
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, NotDefined, OverlapWarning
from tests.contract.kit import ENGINES

QUERIES = [str(i) for i in range(40)]
QRELS = pl.DataFrame({"query_id": QUERIES * 3, "doc_id": ["a"] * 40 + ["b"] * 40 + ["c"] * 40, "relevance": [1] * 120})


def run(queries: list[str], run_id: str | None = None, documents: str = "ab") -> pl.DataFrame:
    rows = [(q, d, float(i + (len(q) * j) % 3)) for q in queries for i, d in enumerate(documents) for j in [int(q) % 5]]
    frame = pl.DataFrame(rows, schema=["query_id", "doc_id", "score"], orient="row")
    return frame if run_id is None else frame.with_columns(run_id=pl.lit(run_id))


def alien(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.format("q{}", "query_id").alias("query_id"))


def warning_of(evaluation: Any, result: str = "summary") -> str:
    """The one warning; further results do not warn again."""
    with pytest.warns(OverlapWarning) as warned:
        getattr(evaluation, result)()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluation.summary(), evaluation.per_unit(), evaluation.wide()
    assert len(warned) == 1
    assert warned[0].filename == __file__
    return str(warned[0].message)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("result", ["summary", "per_unit"])
def test_one_of_several_runs_without_overlap(engine: str, result: str) -> None:
    runs = pl.concat([run(QUERIES, "good"), alien(run(QUERIES, "bad"))])
    text = warning_of(ir.evaluate(QRELS, runs, "AP", engine=engine), result)
    assert "1 of 2 runs have no judged documents in both qrels and run: 'bad'." in text
    assert "The run 'bad' lacks 40 of 40 judged queries, which count 0: '0', '1', '10' and 37 more." in text


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_lacks_judged_queries(engine: str) -> None:
    text = warning_of(ir.evaluate(QRELS, run(QUERIES[8:]), "AP", engine=engine))
    assert text == "The run lacks 8 of 40 judged queries, which count 0: '0', '1', '2' and 5 more."
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ir.evaluate(QRELS, run([*QUERIES, "400"]), "AP", engine=engine).summary()
        ir.evaluate(QRELS, run(QUERIES[8:]), "AP", engine=engine, policy="overlap=allow").summary()


@pytest.mark.parametrize("engine", ENGINES)
def test_less_than_half_of_the_judged_documents_are_retrieved(engine: str) -> None:
    a, others = pl.col("doc_id") == "a", pl.int_range(pl.len()).cast(pl.Float64)
    last = run(QUERIES, documents="auvwxy").with_columns(score=pl.when(a).then(-1.0).otherwise(others))
    assert (
        warning_of(ir.evaluate(QRELS, last, "AP Judged@2", engine=engine))
        == "40 of 120 judged documents are in the run."
    )
    assert warning_of(ir.evaluate(QRELS, last, "AP", engine=engine)) == "40 of 120 judged documents are in the run."
    # No warning if the top of the lists is judged: then the judgments are of more documents than were retrieved.
    first = last.with_columns(score=-pl.col("score"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ir.evaluate(QRELS, first, "AP", engine=engine).summary()


@pytest.mark.parametrize("engine", ENGINES)
def test_items_of_one_table_only(engine: str) -> None:
    gold = pl.DataFrame({"item_id": [1, 2, 3, 4], "label": [*"aabb"]})
    other = pl.DataFrame({"item_id": [1, 2, 3, 5], "cluster_id": [*"xxyy"]})
    expected = "1 of 4 items of the {} are not in the {}: 4. 1 of 4 items of the {} are not in the {}: 5."
    for subject, measures, one, two in (
        (ir.Labels, "F1(average='macro')", "labels", "predictions"),
        (ir.Clusters, "Purity", "clusters", "system"),
        (ir.Organization, "RS", "gold", "system"),
    ):
        second = other.rename({"cluster_id": "prediction"}) if subject is ir.Labels else other
        ev = subject(gold, second, engine=engine).evaluate(measures)
        more = " Only the items of the clusters count; ir.Coreference counts those that either table has."
        assert warning_of(ev) == expected.format(one, two, two, one) + (more if subject is ir.Clusters else "")
        assert ev.coverage().row(0) == (1, 4, 4, 3)
        assert ev.coverage().columns == ["units", f"items_{one}", f"items_{two}", "items_both"]
        # Of several runs the warning names the one that lacks most.
        runs = pl.concat([second.with_columns(run_id=pl.lit(n)) for n in "rs"]).filter(
            (pl.col("run_id") == "r") | (pl.col("item_id") < 3)
        )
        ev = subject(gold, runs, engine=engine).evaluate(measures)
        assert f"2 of 4 items of the {one} are not in the {two}, of 's': 3, 4." in warning_of(ev)


@pytest.mark.parametrize("engine", ENGINES)
def test_coverage_of_runs(engine: str) -> None:
    runs = pl.concat([run(QUERIES[8:], "lacks"), run([*QUERIES, "77"], "more", "ax"), alien(run(QUERIES, "bad"))])
    ev = ir.evaluate(QRELS, runs, "AP", engine=engine)
    assert ev.coverage().columns == [
        "run_id", "queries_judged", "queries_retrieved", "queries_both", "documents_judged", "documents_retrieved",
        "documents_both", "judged_at_10",
    ]  # fmt: skip
    assert ev.coverage().rows() == [
        ("bad", 40, 40, 0, 120, 0, 0, None),
        ("lacks", 40, 32, 32, 120, 64, 64, 1.0),
        ("more", 40, 41, 40, 120, 80, 40, 0.5),
    ]
    groups = pl.DataFrame({"query_id": QUERIES, "half": ["x"] * 20 + ["y"] * 20})
    by = ir.evaluate(QRELS, runs, "AP", engine=engine, queries=groups, by="half").coverage()
    assert by.filter(pl.col("run_id") == "lacks").rows() == [
        ("lacks", "x", 20, 12, 12, 60, 24, 24, 1.0),
        ("lacks", "y", 20, 20, 20, 60, 40, 40, 1.0),
    ]
    one = ir.evaluate(QRELS, run(QUERIES[8:]), "AP", engine=engine).coverage()
    assert one.rows() == [(40, 32, 32, 120, 64, 64, 1.0)]


@pytest.mark.parametrize("engine", ENGINES)
def test_judged_shares_at_cutoffs(engine: str) -> None:
    """Short lists have fewer documents; a negative grade is no judgment."""
    qrels = pl.DataFrame({"query_id": [1, 1, 1, 2], "doc_id": list("abca"), "relevance": [1, 0, -1, 0]})
    lists = {("x", 1): "abcd", ("x", 2): "za", ("y", 1): "zz"[:1]}
    rows = [(r, q, d, -i) for (r, q), documents in lists.items() for i, d in enumerate(documents)]
    runs = pl.DataFrame(rows, schema=["run_id", "query_id", "doc_id", "score"], orient="row")
    ev = ir.evaluate(qrels, runs, "P@2", engine=engine, policy="overlap=allow")
    shares = ev.coverage(cutoffs=[3, 1, 2, 3])
    assert shares.columns[-3:] == ["judged_at_1", "judged_at_2", "judged_at_3"]
    assert shares.select("documents_judged", "documents_both", cs.starts_with("judged_at")).rows() == [
        (3, 3, 1 / 2, 3 / 4, 3 / 5),
        (3, 0, 0.0, 0.0, 0.0),
    ]
    for wrong in ([], [0], 3, "3", [True]):
        with pytest.raises(InvalidParameter, match=r"cutoffs is .*; it must be whole numbers of at least 1"):
            ev.coverage(cutoffs=wrong)


def test_one_table_has_no_coverage() -> None:
    frame = pl.DataFrame({"label": [1, 0], "prediction": [1, 1]})
    with pytest.raises(NotDefined, match="is the only one"):
        ir.Labels(frame).evaluate("Accuracy").coverage()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_without_units_has_its_rows(engine: str) -> None:
    runs = pl.concat([run(QUERIES, "good"), alien(run(QUERIES, "bad"))])
    for first in ("summary", "per_unit"):
        ev = ir.evaluate(QRELS, runs, "AP NumRet", policy="missing=skip", engine=engine)
        getattr(ev, first)()
        assert ev.summary().head(2).rows() == [("bad", "AP", None, 0, 0), ("bad", "NumRet", 0.0, 0, 0)]
        assert ev.wide()["run_id"].to_list() == ["bad", "good"]
    gold = pl.DataFrame({"item_id": [1, 2], "label": [*"ab"]})
    two = pl.DataFrame({"item_id": [1, 2, 7], "prediction": [*"aba"], "run_id": [*"rrs"]})
    labels = ir.Labels(gold, two, policy="missing=skip", engine=engine).evaluate("Accuracy")
    assert labels.summary().rows() == [("r", "Accuracy", 1.0, 1, 0), ("s", "Accuracy", None, 0, 0)]
    assert labels.coverage().rows()[1][0] == "s"


def test_comparisons_gates_and_reports_carry_it(tmp_path) -> None:
    runs = pl.concat([run(QUERIES, "good"), run(QUERIES, "same", "ba"), alien(run(QUERIES, "bad"))])
    ev = ir.evaluate(QRELS, runs, "AP")
    rows = ev.compare("good", test=["t", "wilcoxon", "tukey"]).table()
    bad = rows.filter(pl.col("system") == "bad")
    assert set(bad["status"]) == {"no-overlap"}
    for column in ("p_value", "p_adjusted", "significant", "ci_low", "effect", "relative"):
        assert bad[column].null_count() == bad.height
    assert "no-overlap" not in rows.filter(pl.col("system") == "same")["status"].to_list()
    assert "'bad'" in ev.compare("good").explain()
    page = ir.report(ev, tmp_path / "r.html").read_text("utf-8")
    assert page.index("1 of 3 runs have no judged documents") < page.index("<table")

    def gate(old: pl.DataFrame, new: pl.DataFrame) -> Any:
        return ir.gate((QRELS, old), (QRELS, new), "AP no significant loss; AP >= 0.1; AP same within 1")

    good = run(QUERIES)
    for sides in ((alien(good), alien(good)), (alien(good), good), (good, alien(good))):
        actual = gate(*sides)
        assert actual.exit_code == 4
        assert set(actual.table()["verdict"]) == {"incomparable"}
        assert "No query of the run is judged" in str(actual)
    assert gate(good, good).exit_code == 0
    assert "candidate: The run lacks 8 of 40 judged queries" in str(gate(good, run(QUERIES[8:])))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_without_units_has_a_row_in_each_group(engine: str) -> None:
    groups = pl.DataFrame({"query_id": QUERIES, "half": ["x"] * 20 + ["y"] * 20})
    runs = pl.concat([run(QUERIES[:20], "first"), alien(run(QUERIES, "bad"))])
    for first in ("summary", "per_unit"):
        ev = ir.evaluate(QRELS, runs, "AP", policy="missing=skip", engine=engine, queries=groups, by="half")
        getattr(ev, first)()
        assert ev.summary().select("run_id", "half", "n_units").rows() == [
            ("bad", "x", 0),
            ("bad", "y", 0),
            ("first", "x", 20),
        ]


@pytest.mark.parametrize("engine", ENGINES)
def test_units_and_groups_that_are_left_out(engine: str) -> None:
    gold = pl.DataFrame(
        {"item_id": [*"abcd"], "label": [*"abab"], "lang": [*["de"] * 2, *["en"] * 2], "day": [1, 1, 2, 2]}
    )
    other = pl.DataFrame({"item_id": [*"abz"], "prediction": [*"aba"], "lang": ["de", "de", "fr"], "day": [1, 1, 1]})
    empty = ("en", "Accuracy", None, 0, 0)
    groups, sides = {"by": "lang"}, "2 of 4 items of the labels are not in the predictions: 'c', 'd'"
    for options, text, rows, summary in (
        (groups, "2 of 3 groups have no items in both labels and predictions: 'en', 'fr'", 3, empty),
        (groups | {"unit": "day"}, "2 of 3 groups", 3, empty),
        ({"unit": "day"}, sides, 1, None),
        ({"unit": ["lang", "day"]}, sides, 1, None),
    ):
        for result in ("summary", "per_unit"):
            ev = ir.Labels(gold, other, policy="missing=skip", engine=engine, **options).evaluate("Accuracy")
            assert text in warning_of(ev, result)
            assert ev.summary().height == rows
            assert summary is None or ev.summary().row(1) == summary
        assert ev.coverage().select(pl.exclude("lang", "units").sum()).row(0) == (4, 3, 2)
    topics = pl.DataFrame({"query_id": QUERIES, "half": ["x"] * 20 + ["y"] * 20})
    ev = ir.evaluate(QRELS, run(QUERIES[:20]), "AP", policy="missing=skip", engine=engine, queries=topics, by="half")
    assert "1 of 2 groups have no judged documents in both qrels and run: 'y'." in warning_of(ev)
    assert ev.summary().row(1) == ("y", "AP", None, 0, 0)


@pytest.mark.parametrize("engine", ENGINES)
def test_other_results_warn_too(engine: str) -> None:
    runs = pl.concat([run(QUERIES, "good"), alien(run(QUERIES, "bad"))])
    gold, other = (
        pl.DataFrame({"item_id": [*ids], name: [*"ab"]}) for ids, name in (("ab", "label"), ("ax", "prediction"))
    )
    for table in (
        ir.Rankings(QRELS, runs, engine=engine).curve,
        ir.Labels(gold, other, engine=engine).report,
        ir.Clusters(gold, other.rename({"prediction": "cluster_id"}), engine=engine).contingency,
    ):
        with pytest.warns(OverlapWarning) as warned:
            table()
        assert len(warned) == 1
        assert warned[0].filename == __file__


def test_creating_a_table_warns_once() -> None:
    import duckdb

    con = duckdb.connect()
    for name, frame in (("qrels", QRELS), ("run", run(QUERIES[8:]))):
        con.from_arrow(frame.to_arrow()).create(name)
    ev = ir.evaluate("qrels", "run", "AP", con=con)
    with pytest.warns(OverlapWarning, match="lacks 8 of 40"):
        ev.per_unit.to_table("results")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ev.per_unit.to_table("again"), ev.summary()


@pytest.mark.parametrize("engine", ENGINES)
def test_pairs_of_rankings(engine: str) -> None:
    runs = pl.concat([run(QUERIES, "r"), run(QUERIES, "s"), run(QUERIES, "t", "AB")])
    text = warning_of(ir.Similarity(runs, engine=engine).evaluate("RBO"))
    assert "4 of 6 pairs of rankings have no items in both one ranking and the other: 'r' 't'" in text


def test_replicas_with_differently_written_units() -> None:
    original = pl.DataFrame({"query_id": ["1", "2", "3"], "measure": "AP", "run_id": "r", "value": [0.1, 0.2, 0.4]})
    replica = original.with_columns(pl.format("q0{}", "query_id").alias("query_id"))
    reproduction = ir.replication.reproduction(original, replica)
    with pytest.warns(OverlapWarning, match="share no unit, so .*'1', '2', '3' in the original.* 'q0' before them"):
        reproduction.table()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        reproduction.table()
        ir.replication.reproduction(original, replica, design="unpaired").table()
        ir.replication.reproduction(original, replica.with_columns(query_id=pl.Series([*"xyz"]))).table()


def test_groups_that_are_left_out_are_not_resampled() -> None:
    gold = pl.DataFrame({"item_id": [*"abcd"], "label": [*"abab"], "g": [1, 1, 2, None]})
    other = pl.DataFrame({"item_id": [*"abz"], "prediction": [*"aba"], "g": [1, 1, 3], "run_id": [*"rrs"]})
    for table, by, group in ((other, "run_id", "r"), (other.drop("run_id"), "g", 1)):
        labels = ir.Labels(gold, table, policy="missing=skip")
        with pytest.warns(OverlapWarning, match="have no items in both labels and predictions"):
            actual = ir.resampling.bootstrap(labels, "Accuracy", n_resamples=10, by="g" if by == "g" else None).table()
        assert actual.select(by, "value").rows() == [(group, 1.0)]
