"""Where two systems differ: tables against plain loops over the values, from memory and lazily, on both engines."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.comparison.diagnosis import Diagnosis
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    MismatchedTables,
    MissingColumn,
    NotDefined,
    UnknownName,
)
from ireval_frames.expr import when

ENGINES = ["polars", "duckdb"]
RUNS = ("a", "b", "c")
Row = dict[str, Any]


def tables(seed: int = 1, topics: int = 12) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Judgments, three runs (of which b and c lack a topic each), and a table of topics."""
    rng = random.Random(seed)
    qrels, runs, queries = [], [], []
    for topic in range(topics):
        docs = [f"d{i}" for i in range(8)]
        qrels += [(f"{topic:03}", doc, rng.choice([0, 0, 1, 2])) for doc in rng.sample(docs, 6)]
        queries.append((f"{topic:03}", ["en", "de", None][topic % 3], topic % 2))
        for run in RUNS:
            if (run, topic) not in (("b", 3), ("c", 4)):
                order = docs if topic == 5 else rng.sample(docs, 8)
                runs += [(run, f"{topic:03}", doc, float(-i)) for i, doc in enumerate(order)]
    return (
        pl.DataFrame(qrels, schema=["query_id", "doc_id", "relevance"], orient="row"),
        pl.DataFrame(runs, schema=["run_id", "query_id", "doc_id", "score"], orient="row"),
        pl.DataFrame(queries, schema=["query_id", "lang", "half"], orient="row"),
    )


@pytest.fixture(autouse=True)
def _a_falling_measure() -> Iterator[None]:
    """No ranking measure of ours falls, so here is one: the rank of the first relevant document."""
    with catalog.restored():

        @ir.measure("ranking", "RankOfFirst", higher_is_better=False, relevant=None)
        def rank_of_first(q: Any) -> Any:
            """The rank of the first relevant document."""
            return q.min(when(q.relevant(1) > 0).then(q.rank))

        yield


QRELS, RUN, QUERIES = tables()
LANG = dict(QUERIES.select("query_id", "lang").iter_rows())


def evaluation(measures: str = "nDCG@5 RankOfFirst", engine: str = "polars", **options: Any) -> ir.Evaluation:
    return ir.evaluate(QRELS, RUN, measures, engine=engine, queries=QUERIES, **options)


def values(ev: ir.Evaluation, measure: str) -> dict[str, dict[str, float | None]]:
    """The measure's values by run and topic."""
    actual = ev.per_unit().filter(pl.col("measure") == measure)
    return {run: dict(actual.filter(pl.col("run_id") == run).select("query_id", "value").iter_rows()) for run in RUNS}


def compared(source: dict[str, dict[str, float | None]], sign: float) -> list[Row]:
    """Topics from the largest gain to the largest loss, those without a difference last."""
    topics = sorted({*source["a"], *source["b"]})
    pairs = {t: (source["a"].get(t), source["b"].get(t)) for t in topics}
    differences = {t: b - a for t, (a, b) in pairs.items() if a is not None and b is not None}
    total = math.fsum(differences.values())
    order = [
        *sorted(differences, key=lambda t: (-sign * differences[t], t)),
        *(t for t in topics if t not in differences),
    ]
    out, so_far = [], 0.0
    for t in order:
        d = differences.get(t)
        so_far += 0.0 if d is None else d
        out.append(
            {
                "query_id": t,
                "value_baseline": pairs[t][0],
                "value": pairs[t][1],
                "difference": d,
                "better": None if not d else sign * d > 0,
                "share": None if d is None else d / total,
                "cumulative_share": None if d is None else so_far / total,
            }
        )
    return out


def near(frame: pl.DataFrame, required: list[Row]) -> None:
    """The same rows, numbers to 1e-9."""
    assert frame.height == len(required)
    for row, expected in zip(frame.to_dicts(), required, strict=True):
        assert row.keys() == expected.keys()
        for name, value in expected.items():
            same = row[name] == pytest.approx(value, abs=1e-9) if isinstance(value, float) else row[name] == value
            assert same, (name, row, expected)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("measure, sign", [("nDCG@5", 1.0), ("RankOfFirst", -1.0)])
@pytest.mark.parametrize("missing", ["zero", "skip"])
def test_topics(engine: str, measure: str, sign: float, missing: str) -> None:
    ev = evaluation(engine=engine, policy=f"missing={missing}")
    expected = compared(values(ev, measure), sign)
    d = ev.diagnose("b", "a", measure)
    near(d.topics(), expected)
    # Another evaluation has no values in memory: the lazy table is computed by the engine.
    native = evaluation(engine=engine, policy=f"missing={missing}").diagnose("b", "a", measure).topics.to_native()
    lazy = native.collect() if engine == "polars" else native.pl()
    near(lazy.sort("query_id"), sorted(expected, key=lambda row: row["query_id"]))
    if missing == "skip":
        assert d.topics()["difference"].to_list()[-1] is None


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("measure, sign", [("nDCG@5", 1.0), ("RankOfFirst", -1.0)])
def test_hardest(engine: str, measure: str, sign: float) -> None:
    ev = evaluation(engine=engine, policy="missing=skip")
    source, expected = values(ev, measure), []
    for topic in sorted({t for of in source.values() for t in of}):
        actual = [source[run][topic] for run in RUNS if topic in source[run]]
        ends = (max(actual), min(actual))
        row = {
            "query_id": topic,
            "mean": statistics.mean(actual),
            "best": ends[sign < 0],
            "median": statistics.median(actual),
        }
        expected.append(row | {"worst": ends[sign > 0], "spread": statistics.stdev(actual), "n": len(actual)})
    expected.sort(key=lambda row: (round(sign * row["mean"], 12), row["query_id"]))
    near(ev.diagnose("b", "a", measure).hardest(), expected)


def segment(rows: list[Row], every: list[Row], sign: float = 1.0) -> Row:
    """What a segment of topics holds."""
    known = [row for row in rows if row["difference"] is not None]
    total = math.fsum(row["difference"] for row in every if row["difference"] is not None)
    gains = [sign * row["difference"] for row in known]
    return {
        "n": len(known),
        "mean_baseline": statistics.mean(row["value_baseline"] for row in known),
        "mean": statistics.mean(row["value"] for row in known),
        "difference": statistics.mean(row["difference"] for row in known),
        "share": math.fsum(row["difference"] for row in known) / total,
        "n_better": sum(gain > 0 for gain in gains),
        "n_worse": sum(gain < 0 for gain in gains),
        "n_equal": sum(gain == 0 for gain in gains),
        "n_undefined": len(rows) - len(known),
    }


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("way", ["by", "column", "table", "path"])
def test_segments(engine: str, way: str, tmp_path: Any) -> None:
    options: dict[str, Any] = {"policy": "missing=skip"}
    ev = evaluation(engine=engine, **options | ({"by": "lang"} if way == "by" else {}))
    d = ev.diagnose("b", "a", "nDCG@5")
    QUERIES.write_parquet(path := tmp_path / "queries.parquet")
    source = {"by": (), "column": ("lang",), "table": ("lang", QUERIES), "path": ("lang", path)}[way]
    every = compared(values(evaluation(**options), "nDCG@5"), 1.0)
    of = {lang: [row for row in every if LANG[row["query_id"]] == lang] for lang in ("en", "de", None)}
    expected = [{"lang": lang, **segment(rows, every)} for lang, rows in of.items()]
    expected.sort(key=lambda row: -row["share"] * total_of(every))
    near(d.segments(*source), expected)
    near(d.summary(), [segment(every, every)])
    assert math.fsum(d.segments(*source)["share"]) == pytest.approx(1.0)


def total_of(rows: list[Row]) -> float:
    return math.fsum(row["difference"] for row in rows if row["difference"] is not None)


def test_differences_that_sum_to_nothing_have_no_shares() -> None:
    frame = pl.DataFrame({"run_id": [*"aabb"], "fold": [1, 2] * 2, "label": [1] * 4, "prediction": [1, 0, 0, 1]})
    d = ir.Labels(frame, unit="fold").evaluate("Accuracy").diagnose("b", "a")
    assert d.topics().select("difference", "better", "share", "cumulative_share").rows() == [
        (1.0, True, None, None),
        (-1.0, False, None, None),
    ]
    assert d.summary().select("difference", "share", "n_better", "n_worse").row(0) == (0.0, None, 1, 1)
    same = ir.Labels(frame.with_columns(prediction=1), unit="fold").evaluate("Accuracy").diagnose("b", "a")
    assert same.topics()["better"].to_list() == [None, None]
    assert same.summary()["n_equal"].item() == 2


def test_rounding_is_no_difference() -> None:
    """The same mean of the same numbers, added in another order."""
    weights = [0.1, 0.2, 0.3, 0.7]
    frame = pl.concat(
        pl.DataFrame({"run_id": run, "label": [1] * 4, "prediction": [1, 1, 1, 0], "weight": weights}).sample(
            fraction=1, shuffle=True, seed=seed
        )
        for run, seed in (("a", 1), ("b", 5))
    )
    row = ir.Labels(frame).evaluate("Accuracy").diagnose("b", "a").summary()
    assert row.select("n_better", "n_worse", "n_equal").row(0) == (0, 0, 1)


def test_measures_without_a_direction() -> None:
    d = evaluation("NumRet").diagnose("b", "a")
    assert d.topics()["better"].to_list() == [None] * 12
    assert d.summary().select("n_better", "n_worse", "n_equal").row(0) == (None, None, 11)


def test_runs_that_are_numbers() -> None:
    run = RUN.with_columns(pl.col("run_id").replace_strict({"a": 1, "b": 2, "c": 30}, return_dtype=pl.Int64))
    ev = ir.evaluate(QRELS, run, "AP")
    near(ev.diagnose(2, 1).topics(), evaluation("AP").diagnose("b", "a").topics().to_dicts())
    assert ev.diagnose("2", "1").summary()["n"].item() == 12


def test_it_prints_gains_and_losses() -> None:
    text = str(evaluation().diagnose("b", "a", "nDCG@5"))
    first, *rows = text.splitlines()
    assert first.startswith("nDCG@5 of b against a: ")
    assert "over 12 units (" in first
    assert len(rows) == 4 + 10


def test_results_in_all_ways() -> None:
    d = evaluation().diagnose("b", "a", "nDCG@5")
    assert "pairs_of_values" in d.topics.explain()
    assert "WITH" in d.topics.sql()
    provenance = d.topics.result().provenance
    assert (provenance["system"], provenance["baseline"], provenance["measures"], provenance["table"]) == (
        "b",
        "a",
        ["nDCG@5"],
        "topics",
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_statements_give_the_same_rows(engine: str) -> None:
    import duckdb

    con = duckdb.connect()
    for name, frame in (("qrels", QRELS), ("run", RUN), ("queries", QUERIES)):
        con.from_arrow(frame.to_arrow()).create(name)
    d = evaluation(engine=engine).diagnose("b", "a", "nDCG@5")
    for table in (d.topics, d.hardest, d.summary):
        actual = con.sql(table.sql()).pl()  # type: ignore[attr-defined]
        near(actual, table().to_dicts())  # type: ignore[operator]


def test_refused() -> None:
    ev = evaluation()
    with pytest.raises(UnknownName, match=r"system is 'd'.*no such system"):
        ev.diagnose("d", "a", "nDCG@5").topics()
    with pytest.raises(UnknownName, match="baseline is 'bb'") as caught:
        ev.diagnose("a", "bb", "nDCG@5").segments(table=QUERIES, by="lang")
    assert "Allowed: a, b, c" in str(caught.value)
    with pytest.raises(InvalidParameter, match="of 2 measures"):
        ev.diagnose("b", "a")
    with pytest.raises(UnknownName, match=r"AP is no measure of this evaluation"):
        ev.diagnose("b", "a", "AP")
    with pytest.raises(InvalidParameter, match="both 'a'"):
        ev.diagnose("a", "a", "nDCG@5")
    with pytest.raises(NotDefined, match="of one system") as one:
        ir.evaluate(QRELS, RUN.filter(pl.col("run_id") == "a").drop("run_id"), "AP").diagnose("b", "a")
    assert "pl.concat" in str(one.value)
    d = ev.diagnose("b", "a", "nDCG@5")
    with pytest.raises(NotDefined, match="nothing to make segments of"):
        d.segments()
    with pytest.raises(MissingColumn, match="length"):
        d.segments("length", QUERIES)
    with pytest.raises(MissingColumn, match="length"):
        d.segments("length")
    with pytest.raises(DuplicateRows, match="1 units into several segments; the first: 001"):
        d.segments(
            "lang", pl.concat([QUERIES, pl.DataFrame({"query_id": "001", "lang": "fr", "half": 0}, QUERIES.schema)])
        )
    numbered = ir.evaluate(
        *(t.with_columns(pl.col("query_id").cast(pl.Int64)) for t in (QRELS, RUN)), "nDCG@5"
    ).diagnose("b", "a")
    with pytest.raises(MismatchedTables, match="query_id"):
        numbered.segments("lang", QUERIES)
    with pytest.raises(InvalidParameter, match="'share' groups the units"):
        ir.evaluate(QRELS, RUN, "AP", queries=QUERIES.rename({"lang": "share"}), by="share").diagnose("b", "a")


def test_every_family_has_one() -> None:
    frame = ir.examples.clusters()
    other = frame.with_columns(cluster_id=pl.lit(1, pl.Int64), run_id=pl.lit("b"))
    both = pl.concat([frame.with_columns(run_id=pl.lit("a")), other])
    d = ir.Clusters(both).evaluate("Purity").diagnose("b", "a")
    assert isinstance(d, Diagnosis)
    assert d.topics().columns[:2] == ["value_baseline", "value"]
    assert d.topics()["better"].item() is False
