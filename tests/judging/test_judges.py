"""Human judgments beside a model's: figures of ppi_py, plain loops, widths by simulation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import (
    InvalidParameter,
    InvalidValue,
    MismatchedTables,
    NotDefined,
    NothingInCommon,
    UnknownName,
)
from ireval_frames.stats.means.prediction_powered import prediction_powered

Y = np.array([0.2, 0.5, 0.9, 0.4, 0.7, 0.1, 0.6, 0.8])
F = np.array([0.3, 0.4, 0.8, 0.5, 0.9, 0.2, 0.5, 0.6])
U = np.array([0.1, 0.6, 0.7, 0.9, 0.3, 0.4, 0.8, 0.2, 0.5, 0.6, 0.7, 0.4])


PPI_PY = [
    (None, 0.52042835, 0.38241293, 0.65844378),
    (1.0, 0.51666667, 0.35566681, 0.67766653),
    (0.0, 0.525, 0.34248246, 0.70751754),
]


@pytest.mark.parametrize("weight, value, low, high", PPI_PY)
def test_ppi_py(weight: Any, value: float, low: float, high: float) -> None:
    """ppi-python 0.2.3, ppi_mean_pointestimate and ppi_mean_ci at alpha 0.05."""
    actual = prediction_powered(Y, F, U, weight=weight)
    assert (actual.value, actual.low, actual.high) == pytest.approx((value, low, high), abs=6e-9)


def test_widths() -> None:
    """With good and with useless predictions; intervals of PPI++ are never much longer than without any."""
    rng, times = np.random.default_rng(3), 300
    for noise, bias in ((0.3, 0.2), (5.0, 0.0)):
        widths = []
        for _ in range(times):
            truth = rng.normal(size=340)
            predicted = truth * (noise < 1) + rng.normal(bias, noise, 340)
            widths.append(prediction_powered(truth[:40], predicted[:40], predicted[40:]).width)
        assert np.mean(widths) < (0.55 if noise < 1 else 1.02)


def _tables() -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    rng, rows = np.random.default_rng(1), []
    for q in range(50):
        for d in range(20):
            grade = int(rng.choice([0, 1, 2], p=[0.6, 0.3, 0.1]))
            rows.append((f"q{q:02d}", f"d{d:02d}", grade, int(np.clip(grade + rng.choice([-1, 0, 0, 0, 1]), 0, 2))))
    both = pl.DataFrame(rows, schema=["query_id", "doc_id", "h", "l"], orient="row")
    runs = [
        both.select(
            "query_id", "doc_id", run_id=pl.lit(s), score=pl.col("h") * w + pl.Series(rng.normal(size=both.height))
        )
        for s, w in (("a", 1.0), ("b", 0.9), ("c", 0.2))
    ]
    human = both.filter((pl.col("query_id") < "q30") & (pl.col("doc_id") < "d18"))
    return (
        human.select("query_id", "doc_id", relevance="h"),
        both.select("query_id", "doc_id", relevance="l"),
        pl.concat(runs),
    )


HUMAN, LLM, RUN = _tables()
JUDGES = ir.judging.judges(HUMAN, LLM, RUN)
PAIRS = {(q, d): (h, m) for q, d, h, m in HUMAN.join(LLM, on=["query_id", "doc_id"], suffix="_l").iter_rows()}


def test_agreement_confusion_and_bias() -> None:
    actual = {r[0]: r[1] for r in JUDGES.agreement().iter_rows()}
    n = len(PAIRS)
    assert actual["PercentAgreement"] == pytest.approx(sum(h == m for h, m in PAIRS.values()) / n)
    h, m = (np.array(x, float) for x in zip(*PAIRS.values(), strict=True))
    quadratic = 1 - ((h - m) ** 2).mean() / (h.var() + m.var() + (h.mean() - m.mean()) ** 2)
    assert actual["CohenKappa(weights='quadratic')"] == pytest.approx(quadratic)
    assert JUDGES.agreement()["n_resampled"].to_list() == [30] * 5
    for grade, source, count, share, *_ in JUDGES.confusion().iter_rows():
        assert count == sum(p == (grade, source) for p in PAIRS.values())
        assert share == pytest.approx(count / sum(p[0] == grade for p in PAIRS.values()))
    bias = dict(JUDGES.bias().select("grade", "bias").iter_rows())
    assert bias == pytest.approx({g: float((m - h)[h == g].mean()) for g in (0.0, 1.0, 2.0)})
    every = JUDGES.bias("all")
    of_query = [np.mean([m - h for (p, _), (h, m) in PAIRS.items() if p == q]) for q in sorted({q for q, _ in PAIRS})]
    # Queries have as many documents each: the mean of their means.
    assert every["se"].item() == pytest.approx(np.std(of_query, ddof=1) / math.sqrt(30))
    assert JUDGES.bias("query")["bias"].to_list() == pytest.approx(of_query)
    top = JUDGES.bias("system", depth=3)
    assert top["n"].to_list() == [
        sum(
            (q, d) in PAIRS
            for q, d in RUN.filter(run_id=s)
            .sort("score", descending=True)
            .group_by("query_id")
            .head(3)
            .select("query_id", "doc_id")
            .iter_rows()
        )
        for s in "abc"
    ]


def test_systems_and_their_places() -> None:
    systems = JUDGES.systems("nDCG@5")
    assert systems["human"].to_list() == pytest.approx(ir.evaluate(HUMAN, RUN, "nDCG@5").summary()["value"].to_list())
    filled = pl.concat(
        [HUMAN, LLM.filter(pl.col("query_id") < "q30").join(HUMAN, on=["query_id", "doc_id"], how="anti")]
    )
    assert systems["filled"].to_list() == pytest.approx(ir.evaluate(filled, RUN, "nDCG@5").summary()["value"].to_list())
    orders = {r["judgments"]: r for r in JUDGES.orders("nDCG@5").iter_rows(named=True)}
    sides = [dict(systems.select("run_id", name).iter_rows()) for name in ("human", "llm")]
    assert tuple(orders["llm"][c] for c in ("tau", "tau_ap", "swaps")) == pytest.approx(tau(*sides))
    from scipy.stats import ttest_rel

    wide = ir.evaluate(HUMAN, RUN, "nDCG@5").per_unit().pivot("run_id", index="query_id", values="value")
    places = JUDGES.places("nDCG@5", correction="none")
    for a, b, p in places.select("run_a", "run_b", "p_human").iter_rows():
        assert p == pytest.approx(ttest_rel(wide[a].to_numpy(), wide[b].to_numpy()).pvalue)
    assert dict(places.select(pl.concat_str("run_a", "run_b"), "status").iter_rows())["bc"] == "kept"


def test_powered_means() -> None:
    actual = JUDGES.powered("nDCG@5")
    human = ir.evaluate(HUMAN, RUN, "nDCG@5").per_unit()
    model = ir.evaluate(LLM, RUN, "nDCG@5").per_unit()
    for run, value in actual.select("run_id", "value").iter_rows():
        y = human.filter(run_id=run)["value"].to_numpy()
        f = model.filter(run_id=run).sort("query_id")["value"].to_numpy()
        assert value == pytest.approx(prediction_powered(y, f[:30], f[30:]).value)
    assert actual["status"].to_list() == ["ok"] * 3
    assert (actual["width"] < 1).all()
    single = JUDGES.powered("nDCG@5", method="human")
    assert single["value"].to_list() == pytest.approx(
        human.group_by("run_id").agg(pl.col("value").mean()).sort("run_id")["value"].to_list()
    )
    differences = JUDGES.powered("nDCG@5", method="ppi", differences=True)
    assert differences["weight"].to_list() == [1.0] * 3
    one = dict(JUDGES.powered("nDCG@5", method="ppi").select("run_id", "value").iter_rows())
    assert differences["value"].to_list() == pytest.approx(
        [one["a"] - one["b"], one["a"] - one["c"], one["b"] - one["c"]]
    )


def tau(true: dict[str, float], other: dict[str, float]) -> tuple[float, float, int]:
    """Kendall's τ, τ_AP and the pairs that change places, of orders without ties."""
    names, by = sorted(true), sorted(other, key=lambda s: -other[s])
    pairs = [(a, b) for i, a in enumerate(names) for b in names[:i]]
    swaps = sum((true[a] - true[b]) * (other[a] - other[b]) < 0 for a, b in pairs)
    above = [sum(true[a] > true[by[i]] for a in by[:i]) / i for i in range(1, len(by))]
    return 1 - 2 * swaps / len(pairs), 2 / (len(by) - 1) * sum(above) - 1, swaps


def means_of(qrels: pl.DataFrame, run: pl.DataFrame) -> dict[str, float]:
    return dict(ir.evaluate(qrels, run, "nDCG@5").summary().select("run_id", "value").iter_rows())


def test_leaving_raters_out() -> None:
    """Without each rater the mean grades of those who are left are judgments, and the systems stand as they say."""
    rng = np.random.default_rng(8)
    noisy = [
        HUMAN.with_columns(relevance=(pl.col("relevance") + pl.Series(rng.integers(-1, 2, HUMAN.height))).clip(0, 2))
        for _ in range(2)
    ]
    graded = {"x": HUMAN, "y": noisy[0], "z": noisy[1], "bad": HUMAN.with_columns(relevance=2 - pl.col("relevance"))}
    frame = pl.concat([f.with_columns(rater_id=pl.lit(r)) for r, f in graded.items()])
    more = [
        RUN.filter(run_id=s).with_columns(
            run_id=pl.lit(s + s), score=pl.col("score") + w * pl.Series(rng.normal(size=1000))
        )
        for s, w in (("a", 1.0), ("b", 0.5), ("c", 2.0))
    ]
    run = pl.concat([RUN, *more])
    ratings = ir.Ratings(frame, item="doc_id", rating="relevance", level="interval")
    actual = {
        r["rater_id"]: r for r in ir.judging.rater_effect(ratings, run, "nDCG@5", method="mean").iter_rows(named=True)
    }
    assert set(actual) == set(graded)

    def judged(without: str | None) -> dict[tuple[str, str], float]:
        cells: dict[tuple[str, str], list[float]] = {}
        for rater, of in graded.items():
            for q, d, g in of.iter_rows() if rater != without else ():
                cells.setdefault((q, d), []).append(g)
        return {k: sum(v) / len(v) for k, v in cells.items()}

    def qrels(of: dict[tuple[str, str], float]) -> pl.DataFrame:
        return pl.DataFrame([(*k, v) for k, v in of.items()], schema=["query_id", "doc_id", "relevance"], orient="row")

    whole = judged(None)
    before = means_of(qrels(whole), run)
    some = 0
    for rater, row in actual.items():
        left = judged(rater)
        order = tau(before, means_of(qrels(left), run))
        some += order[2]
        assert row["n_changed"] == sum(abs(left[k] - whole[k]) > 1e-12 for k in whole)
        assert row["n_judged"] == HUMAN.height
        assert (row["tau"], row["tau_ap"], row["swaps"]) == pytest.approx(order)
        assert row["n_pairs"] == 15
    assert some > 0
    assert ir.judging.rater_effect(ratings, run, "nDCG@5", method="mean", raters=["y"])["rater_id"].to_list() == ["y"]


def test_a_family_that_is_favoured() -> None:
    """A judge who gives what one family retrieves a grade more; as plain loops over queries."""
    top = (
        RUN.filter(run_id="c").sort("score", descending=True).group_by("query_id").head(3).select("query_id", "doc_id")
    )
    liked = LLM.join(top.with_columns(more=pl.lit(2)), on=["query_id", "doc_id"], how="left")
    model = liked.select("query_id", "doc_id", relevance=pl.col("relevance") + pl.col("more").fill_null(0))
    judges = ir.judging.judges(HUMAN, model, RUN)
    actual = {
        r["family"]: r for r in judges.favours({"a": "old", "b": "old", "c": "new"}, "nDCG@5").iter_rows(named=True)
    }
    one, other = (
        {
            (r, q): v
            for r, q, _, v in ir.evaluate(f, RUN, "nDCG@5")
            .per_unit()
            .select("run_id", "query_id", "measure", "value")
            .iter_rows()
        }
        for f in (model, HUMAN)
    )
    gain = {k: one[k] - v for k, v in other.items()}
    more = [gain["c", q] - (gain["a", q] + gain["b", q]) / 2 for q in sorted({q for _, q in other})]
    assert actual["new"]["favour"] == pytest.approx(np.mean(more))
    assert actual["old"]["favour"] == pytest.approx(-np.mean(more))
    assert actual["new"]["se"] == pytest.approx(np.std(more, ddof=1) / math.sqrt(30))
    assert actual["new"]["ci_low"] > 0
    assert actual["new"]["n_queries"] == 30
    even = JUDGES.favours({"a": 1, "b": 2, "c": 1}, "nDCG@5")
    assert even["p_corrected"].min() > 0.01
    with pytest.raises(InvalidParameter, match="'c' has no family"):
        JUDGES.favours({"a": 1, "b": 2})
    with pytest.raises(InvalidParameter, match="of one family"):
        JUDGES.favours(dict.fromkeys("abc", 1))


def test_several_measures_have_rows_of_their_own() -> None:
    """Each as if it were asked alone, in the order asked."""
    families = {"a": "old", "b": "old", "c": "new"}
    graded = [f.with_columns(rater_id=pl.lit(r)) for r, f in (("x", HUMAN), ("y", LLM))]
    ratings = ir.Ratings(pl.concat(graded), item="doc_id", rating="relevance", level="interval")
    for result in (
        JUDGES.systems,
        JUDGES.orders,
        JUDGES.places,
        JUDGES.powered,
        lambda m: JUDGES.powered(m, differences=True),
        lambda m: JUDGES.favours(families, m),
        lambda m: ir.judging.rater_effect(ratings, RUN, m, method="mean"),
    ):
        single = [result(m) for m in ("P@2", "nDCG@5")]
        assert_frame_equal(result("P@2 nDCG@5"), pl.concat(single))
        assert [set(f["measure"]) for f in single] == [{"P@2"}, {"nDCG@5"}]
    assert ir.judging.rater_effect(ratings, RUN, "P@2", method="mean", raters=[]).is_empty()


def test_what_cannot_be_meant_is_reported() -> None:
    for error, message, call in (
        (NothingInCommon, "is judged by both", lambda: ir.judging.judges(HUMAN.head(1), LLM.tail(1))),
        (InvalidValue, "null in 1 rows", lambda: ir.judging.judges(HUMAN, LLM.head(1).with_columns(query_id=None))),
        (MismatchedTables, "twice", lambda: ir.judging.judges(pl.concat([HUMAN, HUMAN.head(1)]), LLM)),
        (NotDefined, "There are no runs", lambda: ir.judging.judges(HUMAN, LLM).systems()),
        (UnknownName, "method is 'pp'", lambda: JUDGES.powered(method="pp")),
        (UnknownName, "by is 'run'", lambda: JUDGES.bias("run")),
    ):
        with pytest.raises(error, match=message):
            call()


def test_the_line_makes_judgments_meet() -> None:
    other = LLM.with_columns(pl.format("0{}", pl.col("query_id").cast(pl.String)).alias("query_id"))
    human = HUMAN.with_columns(pl.col("query_id").cast(pl.String))
    with pytest.raises(NothingInCommon, match="No query is judged by both") as error:
        ir.judging.judges(human, other)
    code = next(part for part in error.value.hint.parts if not isinstance(part, str))
    assert (
        ir.judging.judges(human, eval(code.line, {"pl": pl, "llm": other})).both.height
        == ir.judging.judges(HUMAN, LLM).both.height
    )
