"""Intervals that hold together: Holm's agree with its decisions, Bonferroni's and max-t's hold at their level."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
import scipy.stats

import ireval_frames as ir
from ireval_frames.errors import NotDefined, UnknownName

# True differences of systems: some, all, none, all of two.
CASES = [(0.0, 0.05, 0.1, 0.3), (0.2, 0.3, 0.4, 0.5), (0.0, -0.1, 0.0, -0.2), (0.2, 0.1)]


def frame(seed: int, shifts: tuple[float, ...] = (0.0, 0.05, 0.1, 0.3), n: int = 12) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    base = rng.random(n)
    systems = {f"s{i}": base + rng.normal(s, 0.1, n) for i, s in enumerate(shifts)}
    return pl.DataFrame({"query_id": range(n), "a": base} | systems)


def test_one_sided_intervals_are_those_of_the_decision() -> None:
    seen = set()
    for seed, shifts in enumerate(CASES * 2):
        falling = seed >= 4
        values = frame(seed, tuple(-s if falling else s for s in shifts))
        side = "less" if falling else "greater"
        c = ir.compare(values, baseline="a", alternative="greater", lower_is_better="value" if falling else ())
        actual, m = c.simultaneous_intervals(), len(shifts)
        rejected = actual["significant"].sum()
        for row in actual.iter_rows(named=True):
            d = (values[row["system"]] - values["a"]).to_numpy()
            level = 0.05 / (m if rejected == m else m - rejected)
            ends = scipy.stats.ttest_1samp(d, 0, alternative=side).confidence_interval(1 - level)
            end, other = (ends.high, "low") if falling else (ends.low, "high")
            if row["significant"] and not (rejected == m and (end < 0 if falling else end > 0)):
                end = 0.0
            assert row["high" if falling else "low"] == pytest.approx(end, abs=1e-12)
            assert np.isinf(row[other])
            assert row["informative"] == (not row["significant"] or end != 0.0)
            # The open interval holds 0 exactly where Holm does not reject.
            assert row["significant"] == (row["high"] <= 0 if falling else row["low"] >= 0)
            seen.add((row["significant"], row["informative"]))
    assert seen == {(True, True), (True, False), (False, True)}


def test_two_sided_intervals() -> None:
    values = frame(1)
    c = ir.compare(values, baseline="a", test=["t", "tukey", "wilcoxon"])
    actual = c.simultaneous_intervals()
    for row in actual.filter(test="t").iter_rows(named=True):
        d = (values[row["system"]] - values["a"]).to_numpy()
        ends = scipy.stats.ttest_1samp(d, 0).confidence_interval(1 - 0.05 / 4)
        assert (row["low"], row["high"]) == pytest.approx((ends.low, ends.high))
        assert (row["simultaneous_method"], row["family_size"], row["informative"]) == ("bonferroni", 4, True)
    own = c.table().filter(test="tukey")
    assert actual.filter(test="tukey").select("low", "high").rows() == own.select("ci_low", "ci_high").rows()
    assert actual.filter(test="tukey")["simultaneous_method"].unique().to_list() == ["tukey"]
    with pytest.raises(NotDefined, match="tukey"):
        c.simultaneous_intervals("max-t")
    shared = ir.compare(values, baseline="a").simultaneous_intervals("max-t")
    maxt = ir.compare(values, baseline="a", test="maxt").table()
    assert shared.select("low", "high").rows() == maxt.select("ci_low", "ci_high").rows()
    both = pl.concat([values.with_columns(g=pl.lit(g)) for g in ("x", "y")])
    halved = ir.compare(both, baseline="a", by="g", family="all").simultaneous_intervals("max-t").filter(g="x")
    maxt = ir.compare(values, baseline="a", test="maxt", confidence=0.975).table()
    assert halved.select("low", "high").rows() == maxt.select("ci_low", "ci_high").rows()
    alone = ir.compare(values, baseline="a", correction="none")
    assert alone.simultaneous_intervals()["simultaneous_method"].unique().to_list() == ["each alone"]
    with pytest.raises(UnknownName, match="bonferroni"):
        c.simultaneous_intervals("bonferoni")
    with pytest.raises(NotDefined, match="p-values"):
        ir.compare(values, test="bayes").simultaneous_intervals()


def test_margins_are_the_null_value() -> None:
    c = ir.compare(frame(2), baseline="a", test="non-inferiority", margin=0.02)
    actual = c.simultaneous_intervals()
    assert actual["significant"].any()
    assert not actual["significant"].all()
    rejected = actual.filter("significant")
    assert rejected["low"].to_list() == pytest.approx([-0.02] * rejected.height)
    assert (actual.filter(~pl.col("significant"))["low"] < -0.02).all()
    together = ir.compare(frame(2), baseline="a", test="equivalence", margin=0.3).simultaneous_intervals()
    alone = ir.compare(frame(2), baseline="a", test="equivalence", margin=0.3, confidence=1 - 0.05 / 4).table()
    assert together.select("low", "high").rows() == alone.select("ci_low", "ci_high").rows()


def test_all_intervals_of_a_family_hold_together() -> None:
    """Of 80 families of three, with true differences of 0, 0.02 and 0.1, at least 88 % are right in all."""
    rng = np.random.default_rng(3)
    shifts, families, n = np.array([0.0, 0.02, 0.1]), 80, 8
    base = rng.random(families * n)
    rows = {"query_id": np.tile(np.arange(n), families), "family": np.repeat(np.arange(families), n), "a": base}
    rows |= {f"s{i}": base + rng.normal(s, 0.1, len(base)) for i, s in enumerate(shifts)}
    c = ir.compare(pl.DataFrame(rows), baseline="a", by="family", alternative="greater")
    truth = pl.DataFrame({"system": ["s0", "s1", "s2"], "truth": shifts})
    actual = c.simultaneous_intervals().join(truth, on="system")
    right = actual.group_by("family").agg((pl.col("low") <= pl.col("truth")).all())
    assert right["low"].mean() >= 0.88
