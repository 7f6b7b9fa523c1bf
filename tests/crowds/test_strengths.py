"""Strengths of items that were compared two at a time: other tools, likelihoods written out."""

from __future__ import annotations

import itertools
import math

import numpy as np
import polars as pl
import pytest
from scipy.special import ndtri

import ireval_frames as ir
from ireval_frames.crowds.strengths import Compared, bradley_terry, davidson, thurstone
from ireval_frames.errors import ConvergenceWarning, InvalidParameter, InvalidValue, WrongType

A, B = np.triu_indices(5, 1)
WON = np.array([28.0, 39.0, 34.0, 41.0, 27.0, 29.0, 33.0, 29.0, 28.0, 25.0])
LOST = np.array([14.0, 4.0, 13.0, 7.0, 21.0, 6.0, 6.0, 13.0, 14.0, 17.0])
TIED = np.array([18.0, 17.0, 13.0, 12.0, 12.0, 25.0, 21.0, 18.0, 18.0, 18.0])
ALL = Compared(A, B, WON, LOST, TIED, 5)


def test_strengths() -> None:
    # choix 0.4.1, ilsr_pairwise_dense on wins and half the ties.
    actual = bradley_terry(ALL)
    assert actual.value == pytest.approx([0.761562, 0.295145, -0.080789, -0.373223, -0.602695], abs=2e-6)
    from scipy.optimize import minimize
    from scipy.special import log_expit, log_ndtr

    def likelihood(model: str, x: np.ndarray) -> float:
        theta = np.append(x[:4], -x[:4].sum())
        d = theta[A] - theta[B]
        if model != "davidson":
            log = log_ndtr if model == "thurstone" else log_expit
            return float((WON + TIED / 2) @ log(d) + (LOST + TIED / 2) @ log(-d))
        logs = np.stack([d / 2, -d / 2, np.full(10, x[4])])
        logs -= np.log(np.exp(logs).sum(axis=0))
        return float(WON @ logs[0] + LOST @ logs[1] + TIED @ logs[2])

    for model, result in (
        ("bradley-terry", actual),
        ("thurstone", thurstone(ALL)),
        ("davidson", davidson(ALL)),
    ):
        m = 5 if model == "davidson" else 4
        best = minimize(
            lambda x, model=model: -likelihood(model, x), np.zeros(m), method="BFGS", options={"gtol": 1e-8}
        )
        assert result.value[:4] == pytest.approx(best.x[:4], abs=1e-5)
        # The curvature of the likelihood by differences.
        h, at = 1e-4, np.append(result.value[:4], math.log(result.tie) if m == 5 else [])
        e = np.eye(m) * h
        hessian = [
            [
                sum(s * t * likelihood(model, at + s * p + t * q) for s in (1, -1) for t in (1, -1)) / (4 * h * h)
                for q in e
            ]
            for p in e
        ]
        errors = np.sqrt(np.diagonal(np.linalg.inv(-np.array(hessian))))
        # Thurstone's are of the expected curvature.
        assert result.se[:4] == pytest.approx(errors[:4], rel=0.01 if model == "thurstone" else 1e-3)


def recedes(of: Compared) -> bool:
    """Whether Davidson's likelihood has no maximum, by linear programs: a way out on which no outcome loses.

    The ways out are strengths v and a strength of ties t: no win of a has v_b above v_a or 2t above v_a − v_b, no tie
    has |v_a − v_b| above 2t.
    """
    from scipy.optimize import linprog

    rows = []
    for a, b, won, lost, tied in zip(of.a, of.b, of.wins, of.losses, of.ties, strict=True):
        d = np.zeros(of.k + 1)
        d[a], d[b] = 1.0, -1.0
        t = np.eye(of.k + 1)[of.k] * 2
        rows += [-d, t - d] * int(won > 0) + [d, t + d] * int(lost > 0) + [d - t, -d - t] * int(tied > 0)
    pairs = [np.eye(of.k + 1)[a] - np.eye(of.k + 1)[b] for a, b in zip(of.a, of.b, strict=True)]
    for aim in (*pairs, *(-p for p in pairs), np.eye(of.k + 1)[of.k], -np.eye(of.k + 1)[of.k]):
        best = linprog(-aim, A_ub=np.array(rows), b_ub=np.zeros(len(rows)), bounds=[(-1, 1)] * (of.k + 1))
        if best.fun < -1e-9:
            return True
    return False


def test_davidson_is_unbounded_where_a_linear_program_says_so() -> None:
    """Few comparisons of two and three items; where there is a maximum, what is expected there is what was found."""
    rng = np.random.default_rng(1)
    cases = [Compared(np.zeros(1, int), np.ones(1, int), *np.array([[w], [x], [t]], float), 2)
             for w in range(3) for x in range(3) for t in (1, 2)]  # fmt: skip
    a, b = np.triu_indices(3, 1)
    cases += [Compared(a, b, *rng.choice([0.0, 0.0, 1.0, 3.0], (3, 3)), 3) for _ in range(60)]
    seen = set()
    for of in (case.where(case.wins + case.losses + case.ties > 0) for case in cases):
        if len(np.unique(np.append(of.a, of.b))) < of.k or not of.ties.any():
            continue
        actual = davidson(of)
        # Strongly linked or not, one direction out of the likelihood is enough.
        whole = recedes(of)
        seen.add((actual.status[0], whole))
        assert set(actual.status) == {"unbounded" if whole else "converged"}, of
        if not whole:
            half = (actual.value[of.a] - actual.value[of.b]) / 2
            p = np.stack([np.exp(half), np.exp(-half), np.full(len(half), actual.tie)])
            p /= p.sum(axis=0)
            n = of.wins + of.losses + of.ties
            assert (n * p[2]).sum() == pytest.approx(of.ties.sum(), rel=1e-7)
            won = [np.bincount(i, x, 3) for i, x in ((of.a, of.wins - n * p[0]), (of.b, of.losses - n * p[1]))]
            lost = [np.bincount(i, x, 3) for i, x in ((of.b, of.wins - n * p[0]), (of.a, of.losses - n * p[1]))]
            assert sum(won) - sum(lost) == pytest.approx(np.zeros(3), abs=1e-7)
    assert seen == {("unbounded", True), ("converged", False)}


def test_a_prior_makes_every_strength_finite() -> None:
    """Two items by hand: the odds are those of the wins with half the prior each, whatever the counts."""
    for fit, won, lost, tied, prior in itertools.product(
        (bradley_terry, thurstone, davidson), (0, 5), (0, 2), (0, 5), (1e-6, 0.1, 1e300, 1.7e308)
    ):
        if fit is davidson and tied and prior < 1e-3 and not (won and lost):
            continue
        actual = fit(Compared(np.zeros(1, int), np.ones(1, int), *np.array([[won], [lost], [tied]], float), 2), prior)
        one, other = (x / 1e3 + prior / 2 / 1e3 for x in (won, lost))
        if fit is not davidson:
            one, other = one + tied / 2e3, other + tied / 2e3
        share = one / (one + other)
        expected = ndtri(share) if fit is thurstone else math.log(one / other)
        assert actual.status == ["converged"] * 2
        assert actual.value[0] - actual.value[1] == pytest.approx(expected, rel=1e-9, abs=1e-12)
        assert (np.isfinite(actual.se) & (actual.se > 0)).all()
    assert davidson(Compared(np.zeros(1, int), np.ones(1, int), *np.full((3, 1), 1.0), 2), 0.0).tie == pytest.approx(1)


def test_fits_that_stop_early_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("x", "y", w) for w in ("x", "x", "y", "tie")] + [("p", "q", "p")]
    pairs = ir.ratings.PairedComparisons(pl.DataFrame(rows, schema=["item_a", "item_b", "winner"], orient="row"))
    for model in ("bradley-terry", "thurstone", "davidson"):
        status = dict(pairs.strengths(model).select("item_id", "status").iter_rows())
        assert status == {"x": "converged", "y": "converged", "p": "unbounded", "q": "unbounded"}
    monkeypatch.setattr("ireval_frames.crowds.newton.MAX_ITER", 1)
    for model in ("bradley-terry", "thurstone", "davidson"):
        with pytest.warns(ConvergenceWarning, match=rf"\({model}\) of 2 items did not converge: x, y"):
            actual = pairs.strengths(model)
        assert actual.filter(status="not_converged")["value"].null_count() == 0
        assert actual["se"].null_count() == 4
    monkeypatch.setattr("ireval_frames.crowds.newton.MAX_ITER", 1000)
    monkeypatch.setattr("ireval_frames.crowds.newton.MAX_INVERSE", 1.0)
    three = pl.DataFrame([(a, b, a) for a in "xyz" for b in "xyz" if a != b] + [("x", "y", "x")],
                         schema=["item_a", "item_b", "winner"], orient="row")  # fmt: skip
    with pytest.warns(ConvergenceWarning, match="singular"):
        assert set(ir.ratings.PairedComparisons(three).strengths()["status"]) == {"singular"}


def test_parts_that_nothing_links() -> None:
    """Two sets of items: one of which nobody loses always, one in which somebody does; and an item on its own."""
    a, b = np.array([0, 1, 3]), np.array([1, 2, 4])
    wins, losses, ties = np.array([3.0, 2.0, 4.0]), np.array([1.0, 2.0, 0.0]), np.array([1.0, 0.0, 0.0])
    for fit in (bradley_terry, davidson, thurstone):
        actual = fit(Compared(a, b, wins, losses, ties, 6))
        assert actual.status == ["converged"] * 3 + ["unbounded"] * 2 + ["alone"]
        assert [list(actual.component).index(x) for x in actual.component] == [0, 0, 0, 3, 3, 5]
        # What cannot be known changes nothing elsewhere.
        lone = fit(Compared(a[:2], b[:2], wins[:2], losses[:2], ties[:2], 3))
        assert actual.value[:3] == pytest.approx(lone.value, abs=1e-12)
        assert actual.se[:3] == pytest.approx(lone.se, abs=1e-12)
        assert np.isnan(actual.value[3:]).all()
    alike = Compared(a[:1], b[:1], np.zeros(1), np.zeros(1), np.ones(1), 2)
    assert davidson(alike).status == ["unbounded"] * 2
    assert bradley_terry(alike).value == pytest.approx([0.0, 0.0])


def test_paired_comparisons() -> None:
    rows = [
        ("x", "y", "x", 1, 9, 5),
        ("y", "x", "a", 1, 5, 9),
        ("x", "y", "b", 2, 5, 9),
        ("y", "x", "y", 2, 9, 5),
        ("x", "y", None, 3, 1, 1),
    ]
    frame = pl.DataFrame(rows, schema=["item_a", "item_b", "winner", "unit_id", "length_a", "length_b"], orient="row")
    for engine in ("polars", "duckdb"):
        result = ir.ratings.PairedComparisons(frame, engine=engine)
        rates = {r[0]: r[1] for r in result.win_rates().iter_rows()}
        # Of three prompts x has ½, 0 and ½.
        assert rates == pytest.approx({"x": 1 / 3, "y": 2 / 3})
        bias = {r[0]: (r[1], r[4]) for r in result.bias().iter_rows()}
        assert bias["first"] == (0.75, 4)
        assert bias["longer"] == (0.75, 4)
        assert bias["consistent"] == (0.5, 2)
        assert bias["first_of_inconsistent"] == (1.0, 1)
        actual = result.strengths().select("item_id", "value", "n", "wins", "ties").rows()
        assert actual[0][0] == "y"
        assert actual[0][1] == pytest.approx(math.log(3.5 / 1.5) / 2)
        assert actual[0][2:] == (5.0, 3.0, 1.0)
    with pytest.raises(InvalidValue, match="such as 'z'"):
        ir.ratings.PairedComparisons(frame.with_columns(winner=pl.lit("z")))
    with pytest.raises(InvalidParameter, match="order="):
        result.strengths("elo")
    for options in ({"n_resamples": -1}, {"n_resamples": 1.5}, {"seed": -1}, {"seed": "x"}, {"step": True}):
        with pytest.raises(InvalidParameter, match=f"{next(iter(options))} is"):
            ir.ratings.PairedComparisons(frame.with_columns(at=pl.int_range(pl.len())), order="at").strengths(
                "elo", **options
            )
    for times in (pl.when(pl.int_range(pl.len()) > 1).then(1), pl.lit(float("nan"))):
        with pytest.raises(InvalidValue, match="comparisons have no order"):
            ir.ratings.PairedComparisons(frame.with_columns(at=times), order="at").strengths("elo")
    # At one time the items decide, and not the order of the rows.
    once = [
        ir.ratings.PairedComparisons(f.with_columns(at=1), order="at").strengths("elo")
        for f in (frame, frame.reverse())
    ]
    assert once[0].equals(once[1])
    for changed, error, message in (
        ({"item_b": pl.lit(None, pl.String)}, InvalidValue, f"{frame.height} comparisons lack an item"),
        ({"item_b": pl.col("item_a")}, InvalidValue, f"{frame.height} comparisons are of an item with itself"),
        ({"item_b": pl.lit(3)}, WrongType, "so they are never equal"),
        ({"length_a": pl.lit("long"), "length_b": pl.lit("short")}, WrongType, "lengths are numbers"),
    ):
        with pytest.raises(error, match=message):
            ir.ratings.PairedComparisons(frame.with_columns(**changed))
    timed = ir.ratings.PairedComparisons(frame.with_columns(at=-pl.int_range(pl.len())), order="at").strengths("elo")
    rating = {"x": 1000.0, "y": 1000.0}
    for a, b, score in (("x", "y", 0.5), ("y", "x", 1), ("x", "y", 0), ("y", "x", 1), ("x", "y", 1)):
        moved = 32 * (score - 1 / (1 + 10 ** ((rating[b] - rating[a]) / 400)))
        rating[a], rating[b] = rating[a] + moved, rating[b] - moved
    assert dict(timed.select("item_id", "value").iter_rows()) == pytest.approx(rating)
    lone = pl.DataFrame({"item_a": ["p", "q"], "item_b": ["q", "r"], "winner": ["a", "a"]})
    assert set(ir.ratings.PairedComparisons(lone).strengths()["status"]) == {"unbounded"}
    assert set(ir.ratings.PairedComparisons(lone).strengths(prior=1.0)["status"]) == {"converged"}


def test_elo_has_intervals_of_its_own() -> None:
    """As plain loops over comparisons that are drawn again and again; parts that nothing links are told apart."""
    rng = np.random.default_rng(2)
    items = "xyz"
    rows = [(*rng.permutation(list(items))[:2].tolist(), t) for t in range(120)]
    frame = pl.DataFrame(
        [(i, j, i if rng.random() < 0.5 + 0.2 * (items.index(j) - items.index(i)) else j, t) for i, j, t in rows],
        schema=["item_a", "item_b", "winner", "at"], orient="row",
    )  # fmt: skip
    result = (
        ir.ratings.PairedComparisons(frame, order="at")
        .strengths("elo", step=16, n_resamples=400, seed=3)
        .sort("item_id")
    )
    ratings = []
    for _ in range(400):
        rating = dict.fromkeys(items, 1000.0)
        for i, j, winner, _ in frame.iter_rows():
            for _ in range(rng.poisson(1.0)):
                moved = 16 * ((winner == i) - 1 / (1 + 10 ** ((rating[j] - rating[i]) / 400)))
                rating[i], rating[j] = rating[i] + moved, rating[j] - moved
        ratings.append([rating[i] for i in items])
    assert result["se"].to_list() == pytest.approx(np.std(ratings, axis=0, ddof=1), rel=0.15)
    for column, at in (("ci_low", 0.025), ("ci_high", 0.975)):
        assert result[column].to_list() == pytest.approx(np.quantile(ratings, at, axis=0), abs=15)
    other = frame.with_columns(pl.col("item_a", "item_b", "winner") + "2")
    # No step is so long that it ends in an error of floats.
    for step, replicates in ((1e6, 5), (1e300, 0)):
        far = ir.ratings.PairedComparisons(frame, order="at").strengths("elo", step=step, n_resamples=replicates)
        assert far["value"].is_finite().all()
    with pytest.raises(InvalidParameter, match="beyond all numbers"):
        ir.ratings.PairedComparisons(frame, order="at").strengths("elo", step=1.7e308, n_resamples=5)
    both = ir.ratings.PairedComparisons(pl.concat([frame, other]), order="at").strengths("elo", n_resamples=0)
    assert both["component"].n_unique() == 2
    assert both["se"].null_count() == 6


def test_win_rates_of_items_that_always_win() -> None:
    """Five of five is no certainty: Wilson's interval, whose ends solve |p − x/n| = z·√(p(1 − p)/n)."""
    z = float(ndtri(0.975))
    for rows, n, rate in (
        ([("x", "y", "x", u) for u in range(5)], 5, 1.0),
        ([("x", "y", "x", 0)] * 4, 4, 1.0),
        ([("x", "y", "tie", 0)] * 3, 3, 0.5),
        ([("x", "y", "x", 0)], 1, 1.0),
    ):
        frame = pl.DataFrame(rows, schema=["item_a", "item_b", "winner", "unit_id"], orient="row")
        units = frame if frame["unit_id"].n_unique() > 1 else frame.drop("unit_id")
        for item, share in (("x", rate), ("y", 1 - rate)):
            row = (
                ir.ratings.PairedComparisons(units).win_rates().row(by_predicate=pl.col("item_id") == item, named=True)
            )
            assert (row["win_rate"], row["se"]) == (share, None)
            for end in (row["ci_low"], row["ci_high"]):
                assert abs(end - share) == pytest.approx(z * math.sqrt(end * (1 - end) / n), abs=1e-9)
            assert row["ci_low"] < row["ci_high"]
