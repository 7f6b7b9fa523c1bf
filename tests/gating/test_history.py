"""Rules about earlier evaluations in a store, against plain loops; a slow drift is seen."""

from __future__ import annotations

import random
import statistics
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
import scipy.stats

import ireval_frames as ir
from tests.gating.runs import LANGUAGES, QRELS, run

START = datetime(2026, 11, 1, tzinfo=UTC)


def add(store: ir.Store, night: int, frame: pl.DataFrame, **options: object) -> str:
    at = START + timedelta(days=night)
    return store.add(ir.evaluate(QRELS, frame, "AP", queries=LANGUAGES, **options), at=at)


@pytest.fixture
def store(tmp_path: Path) -> ir.Store:
    return ir.Store(tmp_path / "results")


@pytest.mark.parametrize("falling", [False, True])
def test_best_median_and_usual(store: ir.Store, *, falling: bool) -> None:
    name = "ErrorRate" if falling else "Accuracy"
    draw = random.Random(5)
    rows = {"item": [*range(60)], "unit": [i // 3 for i in range(60)], "label": [1] * 60}

    def evaluated(share: float) -> ir.Evaluation:
        prediction = [int(draw.random() < share) for _ in range(60)]
        return ir.Labels(pl.DataFrame({**rows, "prediction": prediction}), unit="unit").evaluate(name)

    past = []
    for night in range(6):
        ev = evaluated(0.8)
        store.add(ev, at=START + timedelta(days=night))
        past.append(statistics.fmean(ev.per_unit()["value"]))
    new = evaluated(0.7)
    mean = statistics.fmean(new.per_unit()["value"])
    sign = 1 if falling else -1
    for last in (3, 4, 50):
        means = past[-last:]
        rules = f"drop <= 0.02 from best of last {last}; drop <= 3% from median of last {last}; as usual in last {last}"
        actual = ir.gate(None, new, rules, store=store).table()
        best = min(means) if falling else max(means)
        median = statistics.median(means)
        width = scipy.stats.t.ppf(0.95, len(means) - 1) * statistics.stdev(means) * (1 + 1 / len(means)) ** 0.5
        end = statistics.fmean(means) + sign * width
        assert actual["mean_baseline"].to_list() == pytest.approx([best, median, statistics.fmean(means)])
        assert actual["observed"].to_list() == pytest.approx([sign * (mean - best), sign * (mean - median), mean])
        assert actual["limit"].to_list() == pytest.approx([0.02, 0.03 * median, end])
        expected = [sign * (mean - best) <= 0.02, sign * (mean - median) <= 0.03 * median, sign * (mean - end) <= 0]
        assert actual["passed"].to_list() == expected
        assert actual["baseline"].to_list() == [f"{n} of last {len(means)}" for n in ("best", "median", "mean")]


def test_a_slow_drift(store: ir.Store) -> None:
    # Each night is a little worse: no drop since the night before shows it, the best of many nights does.
    base = run(1, 0.1)
    codes: list[tuple[int, int]] = []
    for night in range(10):
        lost = [f"q{i}" for i in range(night)]
        scores = pl.when(pl.col("query_id").is_in(lost)).then(-pl.col("score")).otherwise("score")
        frame = base.with_columns(score=scores)
        ev = ir.evaluate(QRELS, frame, "AP")
        if night:
            by_step = ir.gate("store:yesterday", ev, "AP drop <= 0.05", store=store)
            codes.append(
                (by_step.exit_code, ir.gate(None, ev, "AP drop <= 0.05 from best of last 30", store=store).exit_code)
            )
        store.tag("yesterday", add(store, night, frame))
    assert {step for step, _ in codes} == {0}
    drifts = [drift for _, drift in codes]
    assert drifts == sorted(drifts)
    assert set(drifts) == {0, 3}


def test_which_evaluations_count(store: ir.Store) -> None:
    rule = "AP as usual in last 10; AP drop <= 1 from best of last 10"

    def verdicts(frame: pl.DataFrame, qrels: pl.DataFrame = QRELS, **options: object) -> list[tuple[str, str]]:
        return (
            ir.gate(None, ir.evaluate(qrels, frame, "AP", **options), rule, store=store)
            .table()
            .select("verdict", "reason")
            .rows()
        )

    # Nothing yet: undecided, which passes unless it is said otherwise.
    first = ir.gate(None, ir.evaluate(QRELS, run(1), "AP"), f"{rule}, undecided fails", store=store)
    assert first.table()["verdict"].to_list() == ["undecided"] * 2
    assert first.table()["passed"].to_list() == [True, False]
    for night in range(4):
        add(store, night, run(night))
    assert [v for v, _ in verdicts(run(9))] == ["pass", "pass"]
    # The same evaluation again counts once, and the candidate's own does not.
    add(store, 5, run(0))
    assert "(prediction interval of 4 earlier" in verdicts(run(9))[0][1]
    assert "(prediction interval of 3 earlier" in verdicts(run(0))[0][1]
    # Other judgments, conventions, units: not comparable; other names: none.
    other = QRELS.with_columns(relevance=1 - pl.col("relevance"))
    for actual in (verdicts(run(9), other), verdicts(run(9), policy="missing=skip")):
        assert [v for v, _ in actual] == ["incomparable"] * 2
        assert actual[0][1].endswith("with these judgments, conventions and units, 4 with others")
    assert [v for v, _ in verdicts(run(9, name="lsa"))] == ["undecided"] * 2
    # Evaluations of other families or measures do not count.
    store.add(ir.Labels(pl.DataFrame({"label": [1, 0], "prediction": [1, 0]})).evaluate("Accuracy"), run="new")
    assert [v for v, _ in verdicts(run(9, name="new"))] == ["undecided"] * 2
    ndcg = ir.gate(None, ir.evaluate(QRELS, run(9), "nDCG@10"), "nDCG@10 as usual in last 3", store=store)
    assert ndcg.table()["reason"].item() == "the store has no earlier evaluation of 'bm25' yet"
    # A candidate of another name has the history of the baseline's run.
    ev = ir.evaluate(QRELS, run(9, name="pr-17"), "AP")
    store.tag("main", add(store, 6, run(3)))
    assert ir.gate("store:main", ev, rule, store=store).table()["verdict"].to_list() == ["pass", "pass"]
    # A table of values: judgments and conventions are not known, the units are.
    table = ir.evaluate(QRELS, run(9), "AP").per_unit()
    assert ir.gate(None, table, rule, store=store).table()["verdict"].to_list() == ["pass", "pass"]
    fewer = ir.gate(None, table.head(5), rule, store=store)
    assert fewer.table()["verdict"].to_list() == ["incomparable"] * 2


def test_last_passed(store: ir.Store) -> None:
    rules = "AP drop <= 0.02 from last passed; AP >= 0.6"
    codes, passed = [], None
    for night, noise in enumerate((0.5, 0.3, 5.0, 0.35, 5.0, 0.3)):
        ev = ir.evaluate(QRELS, run(night, noise), "AP")
        mean = ev.summary()["value"].item()
        actual = ir.gate(None, ev, rules, store=store)
        passes = mean >= 0.6 and (passed is None or passed - mean <= 0.02)
        assert actual.passed == passes
        if passed is not None:
            assert actual.table()["mean_baseline"][0] == pytest.approx(passed)
        at = START + timedelta(days=night)
        store.add(ev, at=at)
        store.add(actual, at=at)
        passed = mean if passes else passed
        codes.append(actual.exit_code)
    assert set(codes) == {0, 3}


def test_constant_history(store: ir.Store) -> None:
    # The same values from other runs: another digest, no spread; the same mean passes, a lower one fails.
    for night in range(3):
        add(store, night, run(1).with_columns(pl.col("score") * 2.0**night))
    same, less = (ir.evaluate(QRELS, frame, "AP") for frame in (run(1).with_columns(pl.col("score") + 8), run(2, 9.0)))
    assert [ir.gate(None, ev, "AP as usual in last 3", store=store).exit_code for ev in (same, less)] == [0, 3]


def test_segments(store: ir.Store) -> None:
    for night in range(4):
        add(store, night, run(night), **({"by": "lang"} if night % 2 else {}))
    new = ir.evaluate(QRELS, run(9), "AP", queries=LANGUAGES, by="lang")
    actual = ir.gate(None, new, "AP drop <= 0 from best of last 4", store=store).table()
    assert actual["segment"].to_list() == [None, "lang=de", "lang=en"]
    values = pl.concat([ir.evaluate(QRELS, run(s), "AP").per_unit().with_columns(night=s) for s in range(4)])
    by_lang = values.join(LANGUAGES, on="query_id").group_by("night", "lang").agg(pl.col("value").mean())
    expected = [values.group_by("night").agg(pl.col("value").mean())["value"].max()]
    expected += [by_lang.filter(lang=lang)["value"].max() for lang in ("de", "en")]
    assert actual["mean_baseline"].to_list() == pytest.approx(expected)
