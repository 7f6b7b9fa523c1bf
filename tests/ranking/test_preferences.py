"""Preferences: groups, transitive preferences, contradictions, files, SQL, and counts by hand."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import DuplicateRows, FileError, InvalidParameter, InvalidValue, MalformedFile, NotDefined
from tests.contract.kit import ENGINES, assert_same, values
from tests.oracles.measures import PREFERENCES
from tests.oracles.order import ranking
from tests.ranking.cases import make_case
from tests.ranking.suite import CASES, VARIANTS

engines = pytest.mark.parametrize("engine", ENGINES)
MEASURES = [m for name in PREFERENCES for m in VARIANTS[name]]
Prefs = dict[str, dict[str, list[dict[str, float]]]]


def table(prefs: Prefs) -> pl.DataFrame:
    rows = [
        (q, a, str(g), d, v)
        for q, by in prefs.items()
        for a, groups in by.items()
        for g, docs in enumerate(groups)
        for d, v in docs.items()
    ]
    return pl.DataFrame(rows, schema=["query_id", "assessor_id", "subgroup_id", "doc_id", "relevance"], orient="row")


def random_prefs(seed: int) -> tuple[Prefs, dict[str, dict[str, list[tuple[str, float]]]]]:
    """Assessors with orders of their own, judged in overlapping groups."""
    rng = random.Random(seed)
    prefs: Prefs = {}
    runs: dict[str, dict[str, list[tuple[str, float]]]] = {"a": {}, "b": {}}
    for number in range(25):
        query, docs = f"q{number}", [f"{rng.choice('aAzZ')}{i}" for i in range(rng.choice((2, 5, 12)))]
        prefs[query] = {}
        for name in range(rng.randint(1, 4)):
            grade = {d: float(rng.choice((0, 0, 1, 2, 3, 4))) for d in docs}
            prefs[query][f"x{name}"] = [
                {d: grade[d] * scale for d in rng.sample(docs, rng.randint(1, len(docs)))}
                for scale in rng.choices((1.0, 2.0, 0.5), k=rng.randint(1, 3))
            ]
        for lists in runs.values():
            if rng.random() < 0.9:
                retrieved = [
                    *(d for d in docs if rng.random() < rng.choice((0.2, 0.7, 1.0))),
                    *(f"u{i}" for i in range(rng.randint(0, 3))),
                ]
                lists[query] = [
                    (d, float(rng.randint(0, 4)) if rng.random() < 0.5 else rng.random()) for d in retrieved
                ]
    return prefs, runs


def run_table(runs: dict[str, dict[str, list[tuple[str, float]]]]) -> pl.DataFrame:
    rows = [(r, q, d, s) for r, lists in runs.items() for q, docs in lists.items() for d, s in docs]
    return pl.DataFrame(
        rows,
        schema={"run_id": pl.String, "query_id": pl.String, "doc_id": pl.String, "score": pl.Float64},
        orient="row",
    )


@pytest.mark.parametrize("policy", ["", "ties=doc_id", "depth=3", "missing=skip", "unjudged=skip"])
def test_several_groups_equal_the_oracle(policy: str) -> None:
    prefs, runs = random_prefs(5)
    expected = {}
    ties, depth = ("doc_id" if policy == "ties=doc_id" else "trec_eval"), (3 if policy == "depth=3" else None)
    for measure in MEASURES:
        for run_id, lists in runs.items():
            for query, by_assessor in prefs.items():
                if policy == "missing=skip" and not lists.get(query):
                    continue
                documents = ranking(lists.get(query, []), ties, 64)[:depth]
                expected[str(measure), run_id, query] = PREFERENCES[measure.name](
                    documents, by_assessor, **measure.arguments()
                )
    assert len({round(v, 9) for v in expected.values()}) > 100
    for engine in ENGINES:
        actual = values(ir.evaluate(table(prefs), run_table(runs), MEASURES, policy=policy, engine=engine))
        assert_same(actual, expected, 1e-9)


@engines
def test_a_single_group_equals_no_groups(engine: str) -> None:
    """Preferences are counted by grade without groups, and by pairs with groups: the values are equal."""
    case = CASES["text"]
    judged, run = case.qrels_frame("assessor_id"), case.run_frame()
    expected = values(ir.evaluate(judged, run, MEASURES, engine=engine))
    grouped = values(ir.evaluate(judged.with_columns(subgroup_id=pl.lit("g")), run, MEASURES, engine=engine))
    assert_same(grouped, expected, 1e-12)


@engines
def test_transitive_preferences_by_hand(engine: str) -> None:
    """1 > 2 > 3 in one group and 2 > 4 in another imply 1 > 4, but nothing about 3 and 4."""
    prefs: Prefs = {"q": {"x": [{"1": 3.0, "2": 2.0, "3": 1.0}, {"2": 5.0, "4": 4.0}]}}
    run = pl.DataFrame({"query_id": ["q"] * 3, "doc_id": ["4", "1", "2"], "score": [3.0, 2.0, 1.0]})
    actual = ir.evaluate(
        table(prefs),
        run,
        "NumPrefs NumPrefsFulfilled NumPrefs(retrieved=2) NumPrefs(retrieved=1) PrefsSimp",
        engine=engine,
    )
    # Fulfilled: 1 before 2, and both before 3, which was not retrieved.  Not fulfilled: 1 and 2 before 4.
    assert actual.summary()["value"].to_list() == [5.0, 3.0, 3.0, 5.0, 0.6]


@engines
def test_preferences_of_a_pair_by_hand(engine: str) -> None:
    """Three assessors prefer a to b, one b to a, one c to d: the pairs give 3/4 and 1."""
    prefs: Prefs = {
        "q": {
            **{f"x{i}": [{"a": 1.0, "b": 0.0}] for i in range(3)},
            "y": [{"a": 0.0, "b": 1.0}],
            "z": [{"c": 2.0, "d": 1.0}],
        }
    }
    run = pl.DataFrame({"query_id": ["q"] * 2, "doc_id": ["a", "c"], "score": [2.0, 1.0]})
    for judged in (table(prefs), table(prefs).drop("subgroup_id")):
        actual = (
            ir.evaluate(judged, run, "PrefsPair PrefsSimp PrefsSimp(assessors='mean')", engine=engine)
            .summary()["value"]
            .to_list()
        )
        assert actual == pytest.approx([(3 / 4 + 1) / 2, 4 / 5, 4 / 5])


@engines
def test_prefs_rnonrel_by_hand(engine: str) -> None:
    """One document is relevant, r; v, w and x are not; the list is v r w.

    As documented, only v counts; trec_eval's code adds pairs of v, w, x with v.
    """
    qrels = pl.DataFrame({"query_id": ["q"] * 4, "doc_id": ["r", "v", "w", "x"], "relevance": [1, 0, 0, 0]})
    run = pl.DataFrame({"query_id": ["q"] * 3, "doc_id": ["v", "r", "w"], "score": [3.0, 2.0, 1.0]})
    actual = (
        ir.evaluate(qrels, run, "PrefsSimp PrefsRnonrel PrefsRnonrel(counting='trec_eval')", engine=engine)
        .summary()["value"]
        .to_list()
    )
    assert actual == pytest.approx([2 / 3, 0.0, 0.0])
    improved = ir.evaluate(
        qrels,
        run.with_columns(score=pl.Series([2.0, 3.0, 1.0])),
        "PrefsRnonrel PrefsRnonrel(counting='trec_eval')",
        engine=engine,
    )
    assert improved.summary()["value"].to_list() == pytest.approx([1.0, 1 / 4])


@engines
def test_judgments_without_assessors(engine: str) -> None:
    case = make_case(3, 56, 1)
    merged = case.qrels_frame("")
    with_assessor = merged.with_columns(assessor_id=pl.lit("x"))
    run = case.run_frame()
    assert_same(
        values(ir.evaluate(merged, run, MEASURES, engine=engine)),
        values(ir.evaluate(with_assessor, run, MEASURES, engine=engine)),
        1e-12,
    )


# ---- contradictions


@engines
@pytest.mark.parametrize("groups, message", [
    (
        [{"a": 2.0, "b": 1.0}, {"b": 2.0, "c": 1.0}, {"c": 2.0, "a": 1.0}],
        r"contradict each other \(query_id 'q', assessor_id 'x'\)(.|\n)*vice versa",
    ),
    ([{"a": 2.0, "b": 1.0}, {"b": 2.0, "a": 1.0}], "and vice versa"),
    ([{"a": 0.0, "b": 1.0}, {"a": 2.0, "c": 1.0}], "'a' has grade 0 in one group and a larger one in another"),
])  # fmt: skip
def test_contradictions_are_refused(groups: list[dict[str, float]], message: str, engine: str) -> None:
    run = pl.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [1.0]})
    with pytest.raises(InvalidValue, match=message):
        ir.evaluate(table({"q": {"x": groups}}), run, "PrefsSimp", engine=engine).summary()


@engines
def test_assessors_can_contradict_each_other(engine: str) -> None:
    prefs: Prefs = {"q": {"x": [{"a": 2.0, "b": 1.0}], "y": [{"b": 2.0, "a": 1.0}]}}
    run = pl.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [1.0]})
    assert ir.evaluate(table(prefs), run, "PrefsSimp PrefsPair", engine=engine).summary()["value"].to_list() == [
        0.5,
        0.5,
    ]


def test_duplicate_documents_in_a_group() -> None:
    judged = table({"q": {"x": [{"a": 2.0, "b": 1.0}]}})
    with pytest.raises(DuplicateRows, match="subgroup_id '0', doc_id 'a'"):
        ir.evaluate(
            pl.concat([judged, judged.head(1)]),
            pl.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [1.0]}),
            "PrefsSimp",
        ).summary()


@pytest.mark.parametrize(
    "text",
    [
        "PrefsSimp(retrieved=3)",
        "PrefsSimp(retrieved=True)",
        "PrefsSimp(assessors='max')",
        "PrefsRnonrel(retrieved=1)",
    ],
)
def test_invalid_values(text: str) -> None:
    with pytest.raises(InvalidParameter, match="it must be"):
        ir.Measure.parse(text)


# ---- files and SQL


def test_files(tmp_path: Path) -> None:
    """Files of five fields are read as preferences, with decimal levels."""
    prefs, runs = random_prefs(6)
    path, run = tmp_path / "a.prefs", tmp_path / "a.run"
    lines = [f"{q}  {a} {g}\t{d} {v}" for q, a, g, d, v in table(prefs).iter_rows()]
    path.write_text("# comment\n" + "\n".join(lines) + "\n\n", encoding="utf-8")
    ir.io.write_run(run_table({"a": runs["a"]}).drop("run_id"), run)
    table_read = ir.read_qrels(path)
    assert table_read.columns == ["query_id", "doc_id", "relevance", "assessor_id", "subgroup_id"]
    assert table_read["relevance"].dtype == pl.Float64
    assert table_read.equals(ir.read_qrels(path, format="prefs"))
    expected = values(ir.evaluate(table(prefs), run_table({"a": runs["a"]}).drop("run_id"), MEASURES))
    for engine in ENGINES:
        actual = values(ir.evaluate(str(path), str(run), MEASURES, engine=engine))
        assert_same({(m, q): v for (m, _, q), v in actual.items()}, expected, 1e-9)


def test_malformed_files(tmp_path: Path) -> None:
    path = tmp_path / "a.prefs"
    path.write_text("q x s d 1.5\nq x s e\n", encoding="utf-8")
    with pytest.raises(MalformedFile, match=r"4 fields where a judgment has 5"):
        ir.read_qrels(path, format="prefs")
    path.write_text("", encoding="utf-8")
    with pytest.raises(FileError, match="empty"):
        ir.read_qrels(path, format="prefs")


def test_sql_without_groups() -> None:
    case = CASES["text"]
    judged, run = case.qrels_frame("assessor_id"), case.run_frame()
    evaluation = ir.evaluate(judged, run, MEASURES)
    with duckdb.connect() as con:
        con.from_arrow(judged.to_arrow()).create("qrels")
        con.from_arrow(run.to_arrow()).create("run")
        rows = con.sql(evaluation.per_unit.sql(wide=True)).pl()
    actual: dict[tuple[Any, ...], float | None] = {
        (str(m), r["run_id"], r["query_id"]): r[str(m)] for r in rows.iter_rows(named=True) for m in MEASURES
    }
    assert_same(actual, values(evaluation), 1e-12)
    grouped = ir.evaluate(judged.with_columns(subgroup_id=pl.lit("g")), run, "PrefsSimp")
    assert "preferences of all groups" in grouped.explain()
    with pytest.raises(NotDefined, match=r"step in Python(.|\n)*preferences of all groups"):
        grouped.per_unit.sql(wide=True)
