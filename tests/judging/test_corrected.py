"""Shares corrected for a judge's errors, strata, probabilities, and scores as grades: by loops and simulations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.special import ndtri
from sklearn.isotonic import IsotonicRegression

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, MissingColumn, NotDefined, SampleWarning, WrongType
from ireval_frames.judging.calibrated import isotonic
from ireval_frames.stats.means.prediction_powered import actively_sampled, prediction_powered, stratified


def verdicts(alone: tuple[int, int], cells: tuple[int, int, int, int]) -> pl.DataFrame:
    """Positive and negative verdicts of the judge alone; true and false positive, false and true negative ones."""
    tp, fp, fn, tn = cells
    judge = [1] * alone[0] + [0] * alone[1] + [1] * (tp + fp) + [0] * (fn + tn)
    human = [None] * sum(alone) + [1] * tp + [0] * fp + [1] * fn + [0] * tn
    return pl.DataFrame({"judge": judge, "human": human}, schema_overrides={"human": pl.Int64})


def test_rogan_and_gladen_by_hand() -> None:
    """A share of 0.35 by a judge of sensitivity 0.9 and specificity 0.8 is one of (0.35 − 0.2)/0.7."""
    row = ir.judging.corrected(verdicts((70, 130), (45, 8, 5, 32))).row(0, named=True)
    assert (row["sensitivity"], row["specificity"], row["n"], row["n_human"]) == (0.9, 0.8, 290, 90)
    assert row["value"] == pytest.approx(0.15 / 0.7)
    value, z = 0.15 / 0.7, float(ndtri(0.975))
    variance = 0.35 * 0.65 / 200 + value**2 * 0.09 / 50 + (1 - value) ** 2 * 0.16 / 40
    assert row["se"] == pytest.approx(math.sqrt(variance) / 0.7)
    # Lang and Reiczigel: a few items more of each kind, and a shift.
    p, se, sp = (70 + z * z / 2) / (200 + z * z), 46 / 52, 33 / 42
    at = (p + sp - 1) / (se + sp - 1)
    shift = 2 * z * z * (at * se * (1 - se) / 52 - (1 - at) * sp * (1 - sp) / 42)
    spread = p * (1 - p) / (200 + z * z) + at**2 * se * (1 - se) / 52 + (1 - at) ** 2 * sp * (1 - sp) / 42
    half = z * math.sqrt(spread) / (se + sp - 1)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((at + shift - half, at + shift + half))


def test_predictive_values_and_ppi() -> None:
    frame = verdicts((70, 130), (45, 8, 5, 32))
    row = ir.judging.corrected(frame, method="predictive-values").row(0, named=True)
    share = 123 / 290
    assert row["share_of_judge"] == pytest.approx(share)
    assert row["value"] == pytest.approx(share * 45 / 53 + (1 - share) * 5 / 37)
    known = frame.drop_nulls("human")
    powered = prediction_powered(
        known["human"].to_numpy().astype(float),
        known["judge"].to_numpy().astype(float),
        np.repeat([1.0, 0.0], [70, 130]),
    )
    row = ir.judging.corrected(frame, method="ppi++").row(0, named=True)
    assert (row["value"], row["ci_low"]) == pytest.approx((powered.value, powered.low))


def test_errors_of_groups_or_of_all() -> None:
    one, other = verdicts((70, 130), (45, 8, 5, 32)), verdicts((20, 80), (9, 1, 1, 9))
    both = pl.concat([one.with_columns(run_id=pl.lit("a")), other.with_columns(run_id=pl.lit("b"))])
    table = ir.judging.corrected(both, by="run_id")
    assert table["value"].to_list() == pytest.approx([ir.judging.corrected(f)["value"].item() for f in (one, other)])
    table = ir.judging.corrected(both, by="run_id", errors="all")
    se, sp = 54 / 60, 41 / 50
    assert table["value"].to_list() == pytest.approx([(p + sp - 1) / (se + sp - 1) for p in (0.35, 0.2)])


def test_what_a_judge_cannot_say() -> None:
    assert ir.judging.corrected(verdicts((5, 5), (5, 5, 5, 5))).select("value", "status").row(0) == (None, "useless")
    assert ir.judging.corrected(verdicts((5, 5), (5, 0, 1, 0)))["status"].item() == "no_errors"
    wrong = ir.judging.corrected(verdicts((1, 99), (45, 8, 5, 32)))
    assert wrong.select("value", "status").row(0) == (None, "inconsistent")
    low = ir.judging.corrected(verdicts((17, 83), (45, 8, 5, 32))).row(0, named=True)
    assert (low["value"], low["status"]) == (0.0, "clipped")
    assert low["ci_low"] == 0.0 < low["ci_high"]
    with pytest.raises(MissingColumn, match="gpt"):
        ir.judging.corrected(verdicts((5, 5), (5, 5, 5, 5)), judge="gpt")
    with pytest.raises(InvalidParameter, match="positive is 'yes'"):
        ir.judging.corrected(verdicts((5, 5), (5, 5, 5, 5)), positive="yes")


@pytest.mark.parametrize("method", ["rogan-gladen", "predictive-values", "ppi++"])
def test_intervals_hold_the_share(method: str) -> None:
    """Of 400 simulations, where the judge's own share is far off."""
    rng, inside, own = np.random.default_rng(5), 0, 0
    for _ in range(400):
        truth = rng.random(500) < 0.3
        judge = np.where(truth, rng.random(500) < 0.85, rng.random(500) < 0.25)
        human = np.where(np.arange(500) < 120, truth, np.nan)
        frame = pl.DataFrame({"judge": judge.astype(int), "human": human}).with_columns(pl.col("human").fill_nan(None))
        row = ir.judging.corrected(frame, method=method).row(0, named=True)
        inside += row["ci_low"] <= 0.3 <= row["ci_high"]
        own += abs(row["share_of_judge"] - 0.3) < 0.08
    assert inside / 400 == pytest.approx(0.95, abs=0.03)
    assert own < 40


def test_strata() -> None:
    """Means by strata weighted by size; with one stratum what it is without."""
    rng = np.random.default_rng(2)
    parts = [(rng.normal(m, 1, 20), rng.normal(m, 1, 20), rng.normal(m, 1, n)) for m, n in ((0, 40), (3, 180))]
    actual = stratified(parts)
    alone = [prediction_powered(*p) for p in parts]
    share = [60 / 260, 200 / 260]
    assert actual.value == pytest.approx(sum(w * p.value for w, p in zip(share, alone, strict=True)))
    assert actual.se == pytest.approx(math.sqrt(sum((w * p.se) ** 2 for w, p in zip(share, alone, strict=True))))
    one = stratified(parts[:1])
    assert (one.value, one.se, one.width) == pytest.approx((alone[0].value, alone[0].se, alone[0].width))


def test_active_samples() -> None:
    """Where all units are as probable, and by a loop; unsure units first make the interval shorter."""
    rng = np.random.default_rng(3)
    y = rng.normal(size=30)
    f, rest = y + rng.normal(0, 0.5, 30), rng.normal(size=70)
    pi = rng.uniform(0.2, 1, 30)
    for weight in (0.0, 1.0, 0.4):
        terms = [weight * p + (v - weight * p) / w for v, p, w in zip(y, f, pi, strict=True)] + [
            weight * r for r in rest
        ]
        actual = actively_sampled(y, f, pi, rest, weight=weight)
        assert actual.value == pytest.approx(sum(terms) / 100)
        assert actual.se == pytest.approx(np.std(terms, ddof=1) / 10)
    best = actively_sampled(y, f, pi, rest)
    tried = [actively_sampled(y, f, pi, rest, weight=w).se for w in np.linspace(0, 1, 101)]
    assert best.se <= min(tried) + 1e-12
    inside, widths = 0, []
    for _ in range(400):
        truth = rng.normal(size=600)
        unsure = rng.uniform(0.1, 1.5, 600)
        predicted = truth + rng.normal(size=600) * unsure
        chance = np.minimum(1.0, 0.25 * unsure / unsure.mean())
        for by_doubt in (True, False):
            p = chance if by_doubt else np.full(600, 0.25)
            known = rng.random(600) < p
            estimate = actively_sampled(truth[known], predicted[known], p[known], predicted[~known])
            if by_doubt:
                inside += estimate.low <= 0.0 <= estimate.high
            widths.append(estimate.high - estimate.low)
    assert inside / 400 == pytest.approx(0.95, abs=0.03)
    assert np.mean(widths[::2]) < np.mean(widths[1::2])


QUERIES = [f"q{i:02d}" for i in range(60)]


def judged() -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    rng = np.random.default_rng(8)
    grades = rng.integers(0, 2, (60, 5))
    rows = [(q, f"d{j}", int(grades[i, j])) for i, q in enumerate(QUERIES) for j in range(5)]
    truth = pl.DataFrame(rows, schema=["query_id", "doc_id", "relevance"], orient="row")
    flip = pl.Series(rng.random(300) < 0.15)
    llm = truth.with_columns(
        relevance=pl.when(flip).then(1 - pl.col("relevance")).otherwise(pl.col("relevance")),
        topic=pl.when(pl.col("query_id") < "q20").then(pl.lit("x")).otherwise(pl.lit("y")),
    )
    run = truth.select("query_id", "doc_id", run_id=pl.lit("a"), score=pl.Series(rng.normal(size=300)))
    other = truth.select(
        "query_id", "doc_id", run_id=pl.lit("b"), score=pl.Series(rng.normal(size=300)) + truth["relevance"]
    )
    human = truth.filter(pl.col("query_id").str.tail(1).is_in(["0", "3", "7"]))
    return human.with_columns(chance=pl.lit(0.3)), llm, pl.concat([run, other])


def test_powered_by_strata_and_probabilities() -> None:
    human, llm, run = judged()
    judges = ir.judging.judges(human, llm, run)
    table = judges.powered("P@3", strata="topic")
    known = ir.evaluate(human, run, "P@3").per_unit()
    model = ir.evaluate(llm.drop("topic"), run, "P@3").per_unit()
    for run_id, value, se in table.select("run_id", "value", "se").iter_rows():
        y = dict(known.filter(run_id=run_id).select("query_id", "value").iter_rows())
        f = dict(model.filter(run_id=run_id).select("query_id", "value").iter_rows())
        parts = []
        for stratum in ([q for q in QUERIES if q < "q20"], [q for q in QUERIES if q >= "q20"]):
            ours = [q for q in stratum if q in y]
            parts.append([np.array(x) for x in ([y[q] for q in ours], [f[q] for q in ours],
                                                [f[q] for q in stratum if q not in y])])  # fmt: skip
        expected = stratified([tuple(p) for p in parts])
        assert (value, se) == pytest.approx((expected.value, expected.se))
    frame = llm.select("query_id", "topic").unique()
    assert judges.powered("P@3", strata=frame)["value"].to_list() == pytest.approx(table["value"].to_list())
    active = judges.powered("P@3", probability="chance", differences=True)
    assert active.select("run_a", "run_b", "n_human", "n_llm").row(0) == ("a", "b", 18, 42)
    single = judges.powered("P@3", probability=human.select("query_id", "chance"), method="human")
    a = known.filter(run_id="a")["value"].sum() / 0.3 / 60
    assert single["value"][0] == pytest.approx(a)


def test_strata_and_probabilities_that_cannot_be() -> None:
    human, llm, run = judged()
    judges = ir.judging.judges(human, llm, run)
    with pytest.raises(MissingColumn, match="'topics'"):
        judges.powered("P@3", strata="topics")
    with pytest.raises(InvalidParameter, match="Leave out strata"):
        judges.powered("P@3", strata="topic", probability="chance")
    with pytest.raises(InvalidValue, match="several values of stratum"):
        ir.judging.judges(human, llm.with_columns(topic="doc_id"), run).powered("P@3", strata="topic")
    frame = pl.DataFrame({"query_id": QUERIES[1:], "stratum": "x"})
    with pytest.raises(InvalidValue, match="1 queries have no stratum, such as 'q00'"):
        judges.powered("P@3", strata=frame)
    for chance, error in ((1.2, InvalidValue), ("high", WrongType)):
        with pytest.raises(error, match="above 0"):
            judges.powered("P@3", probability=pl.DataFrame({"query_id": QUERIES, "probability": chance}))
    lonely = pl.DataFrame({"query_id": QUERIES, "stratum": ["z"] + ["y"] * 59})
    with pytest.warns(SampleWarning, match="fewer than two"):
        table = judges.powered("P@3", strata=lonely)
    assert table["status"].to_list() == ["undefined"] * 2


def test_calibration() -> None:
    human = pl.DataFrame({"query_id": ["q"] * 4 + ["r"] * 4, "doc_id": list("abcd") * 2,
                          "relevance": [0, 1, 2, 2, 0, 0, 1, 2]})  # fmt: skip
    scores = [0.1, 0.4, 0.4, 0.9, 0.1, 0.4, 0.9, 0.9]
    llm = human.with_columns(relevance=pl.Series(scores))
    more = pl.DataFrame({"query_id": ["s"] * 3, "doc_id": list("abc"), "relevance": [0.0, 0.65, 2.0]})
    judges = ir.judging.judges(human, pl.concat([llm, more]))
    table = judges.calibration()
    assert table["n"].to_list() == [2, 3, 3]
    assert table["llm"].to_list() == pytest.approx([0.1, 0.4, 0.9])
    assert table["human"].to_list() == pytest.approx([0.0, 1.0, 5 / 3])
    assert judges.calibration(bins=2)["n"].to_list() == [5, 3]
    gains = judges.calibrated().filter(source="llm")["relevance"].to_list()
    assert gains == pytest.approx([0.0, (1 + 5 / 3) / 2, 5 / 3])
    with pytest.raises(NotDefined, match="with the score 0"):
        judges.calibrated(monotone=False)
    exact = ir.judging.judges(human, pl.concat([llm, more.with_columns(relevance=pl.lit(0.4))]))
    assert exact.calibrated(monotone=False).filter(source="llm")["relevance"].to_list() == [1.0] * 3


def test_isotonic_as_scikit_learn() -> None:
    rng = np.random.default_rng(1)
    for size in (1, 2, 30):
        y, w = rng.normal(size=size).round(1), rng.integers(1, 4, size).astype(float)
        assert isotonic(y, w) == pytest.approx(IsotonicRegression().fit_transform(np.arange(size), y, sample_weight=w))


def test_shares_of_systems() -> None:
    human, llm, run = judged()
    judges = ir.judging.judges(human, llm.drop("topic"), run)
    every: dict[str, Any] = judges.corrected().row(0, named=True)
    assert (every["n"], every["n_human"]) == (300, human.height)
    of_systems = judges.corrected(by="system", depth=3)
    assert of_systems["run_id"].to_list() == ["a", "b"]
    assert of_systems["n"].to_list() == [180, 180]


def test_a_word_that_no_verdict_is() -> None:
    words = verdicts((5, 5), (5, 5, 5, 5)).select(
        pl.all().replace_strict({1: "good", 0: "bad"}, return_dtype=pl.String)
    )
    with pytest.raises(InvalidParameter, match=r"positive is 'Good', and no verdict is: they are bad, good"):
        ir.judging.corrected(words, positive="Good")
    with pytest.raises(InvalidParameter, match=r"positive is 'yes'"):
        ir.judging.corrected(verdicts((5, 5), (5, 5, 5, 5)).cast(pl.Boolean), positive="yes")
    assert ir.judging.corrected(words, positive="good")["n_human"].item() == 20


def test_words_that_may_be_meant_are_proposed() -> None:
    words = pl.DataFrame({"llm": ["no", "yes", "yes"], "human": [None, "yes", "no"]})
    for positive in (True, 1, "Yes"):
        with pytest.raises(InvalidParameter, match=r'positive="yes"'):
            ir.judging.corrected(words, judge="llm", positive=positive)
    with pytest.raises(MissingColumn, match=r'no column .judge.(.|\n)*Name it: judge="llm"'):
        ir.judging.corrected(words, positive="yes")
    assert ir.judging.corrected(words, judge="llm", positive="yes")["n"].item() == 3
