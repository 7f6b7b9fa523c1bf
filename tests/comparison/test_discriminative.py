"""Discriminative power and concordance by loops over pairs, with SciPy's p-values."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from statistics import fmean
from typing import Any

import polars as pl
import pytest
import scipy.stats

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, NotDefined, UnknownName

SYSTEMS = "abcdef"
MEASURES = ("AP", "Errors", "RR")


def make_case(seed: int, units: int = 25) -> pl.DataFrame:
    """Errors are low where AP is high; RR is another thing."""
    rng = random.Random(seed)
    rows = []
    for q, (i, s) in itertools.product(range(units), enumerate(SYSTEMS)):
        value = rng.random() + i * 0.12
        values = {"AP": value, "Errors": 2 - value - 0.3 * rng.random(), "RR": rng.random() + 0.4 * (i == 2)}
        rows += [{"run_id": s, "query_id": q, "measure": m, "value": round(v, 2)} for m, v in values.items()]
    return pl.DataFrame(rows).sample(fraction=1, shuffle=True, seed=seed)


def pairs(frame: pl.DataFrame, measure: str) -> list[tuple[Any, float]]:
    """SciPy's result and the difference of means, of every pair."""
    values = {
        s: frame.filter(measure=measure, run_id=s).sort("query_id")["value"].to_list() for s in sorted({*SYSTEMS})
    }
    two = itertools.combinations(SYSTEMS, 2)
    return [(scipy.stats.ttest_rel(values[b], values[a]), fmean(values[b]) - fmean(values[a])) for a, b in two]


def test_power_and_curve() -> None:
    frame = make_case(1)
    actual = ir.comparison.discriminative_power(frame, alpha=0.01, lower_is_better="Errors")
    table = actual.table()
    assert table["measure"].to_list() == sorted(MEASURES)
    for row in table.iter_rows(named=True):
        tests = pairs(frame, row["measure"])
        p = sorted((t.pvalue for t, _ in tests), reverse=True)
        significant = sum(v <= 0.01 for v in p)
        assert (row["n_systems"], row["n_pairs"], row["n_undefined"], row["n_significant"]) == (6, 15, 0, significant)
        assert row["power"] == pytest.approx(significant / 15)
        ends = [t.confidence_interval(0.99) for t, _ in tests]
        assert row["difference_required"] == pytest.approx(max((e.high - e.low) / 2 for e in ends))
        assert all(abs(d) <= row["difference_required"] for t, d in tests if t.pvalue > 0.01)
        curve = actual.asl().filter(measure=row["measure"])
        assert curve["p_value"].to_list() == pytest.approx(p)
        assert curve["rank"].to_list() == list(range(1, 16))
    assert "Pairs with p at most 0.01 (t)." in str(actual)


def test_difference_required_of_other_tests() -> None:
    frame = make_case(6)
    bootstrap = ir.comparison.discriminative_power(frame, test="bootstrap", n_resamples=2000).table()
    t = ir.comparison.discriminative_power(frame).table()
    assert bootstrap["difference_required"].to_list() == pytest.approx(t["difference_required"].to_list(), rel=0.15)
    tukey = ir.comparison.discriminative_power(frame, test="tukey")
    assert (tukey.table()["difference_required"] > t["difference_required"]).all()
    assert "of all pairs at once" in str(tukey)
    # Wilcoxon's interval is of a median.
    assert ir.comparison.discriminative_power(frame, test="wilcoxon").table()["difference_required"].null_count() == 3


def agreement(one: tuple[Any, float], other: tuple[Any, float], alpha: float) -> str:
    how = ("passive", "mixed", "active")[sum(t.pvalue <= alpha for t, _ in (one, other))]
    same = (one[1] > 0) == (other[1] > 0)
    return f"{how}_{'agreement' if same else 'disagreement'}"


def test_concordance() -> None:
    frame = make_case(2)
    actual = ir.comparison.discriminative_power(frame, lower_is_better="Errors").concordance()
    assert actual.select("measure", "other").rows() == [("AP", "Errors"), ("AP", "RR"), ("Errors", "RR")]
    kinds = [c for c in actual.columns if c.endswith("agreement") and "_" in c]
    assert len(kinds) == 6
    for row in actual.iter_rows(named=True):
        signs = [-1 if m == "Errors" else 1 for m in (row["measure"], row["other"])]
        one, other = (
            [(t, s * d) for t, d in pairs(frame, m)] for s, m in zip(signs, (row["measure"], row["other"]), strict=True)
        )
        expected = Counter(agreement(a, b, 0.05) for a, b in zip(one, other, strict=True))
        assert {k: row[k] for k in kinds} == {k: expected[k] for k in kinds}
        assert row["agreement"] == pytest.approx(sum(n for k, n in expected.items() if k.endswith("_agreement")) / 15)
    assert actual["active_agreement"][0] > 0
    assert actual["active_disagreement"][0] == 0


def test_swaps_of_all_halves() -> None:
    """Four units have three ways to be halved, each in two orders; a unit that a system lacks is in none."""
    values = {"a": [0.1, 0.6, 0.2, 0.8, 0.9], "b": [0.4, 0.4, 0.3, 0.9, None], "c": [0.9, 0.1, 0.5, 0.2, 0.4]}
    frame = pl.DataFrame({"query_id": range(5), **values})
    wide = ir.comparison.discriminative_power(frame, n_resamples=6000, missing="intersect")
    actual = wide.swaps(width=0.2, most=0.3)
    bins: dict[int, list[bool]] = {}
    for (a, b), half in itertools.product(itertools.combinations("abc", 2), itertools.combinations(range(4), 2)):
        d = [values[b][u] - values[a][u] for u in range(4)]
        one = sum(d[u] for u in half) / 2
        bins.setdefault(int(abs(one) / 0.2 + 1e-9), []).append(one * (sum(d) / 2 - one) < -1e-15)
    expected = {at: (len(of) / 18, sum(of) / len(of)) for at, of in bins.items()}
    assert actual["n"].sum() == 18_000
    for at, (low, high, n, rate) in enumerate(actual.select("low", "high", "n", "swap_rate").iter_rows()):
        assert (low, high) == (pytest.approx(at * 0.2), pytest.approx(at * 0.2 + 0.2) if at < 20 else None)
        assert n / 18_000 == pytest.approx(expected.get(at, (0, 0))[0], abs=0.02)
        assert rate == (pytest.approx(expected[at][1], abs=0.06) if at in expected else None)
    for most in (0.3, 0.6, 0.9):
        worst = max((at for at, (_, rate) in expected.items() if rate > most), default=-1)
        first = min((at for at in expected if at > worst), default=21)
        assert wide.swaps(width=0.2, most=most)["required"].to_list() == [at >= first for at in range(21)]
    again = ir.comparison.discriminative_power(
        frame.reverse(), n_resamples=6000, missing="intersect", threads=1, engine="duckdb"
    )
    assert again.swaps(width=0.2, most=0.3).equals(actual)


def test_groups_and_corrections() -> None:
    frame = pl.concat([make_case(3).with_columns(lang=pl.lit("de")), make_case(4).with_columns(lang=pl.lit("en"))])
    actual = ir.comparison.discriminative_power(frame, by="lang", correction="holm")
    assert actual.table().select("measure", "lang").rows() == [(m, g) for m in MEASURES for g in ("de", "en")]
    alone = ir.comparison.discriminative_power(make_case(4), correction="holm")
    assert actual.table().filter(lang="en").drop("lang").rows() == alone.table().rows()
    assert actual.asl().filter(lang="en").drop("lang").rows() == alone.asl().rows()
    assert actual.concordance().filter(lang="en").drop("lang").rows() == alone.concordance().rows()
    assert actual.table()["difference_required"].null_count() == 6
    assert (
        actual.table()["n_significant"].sum()
        < ir.comparison.discriminative_power(frame, by="lang").table()["n_significant"].sum()
    )


def test_undefined_pairs_are_not_counted() -> None:
    """A constant shift has no p of t; copies have p = 1."""
    frame = pl.DataFrame({"query_id": [1, 2, 3], "a": [0.1, 0.2, 0.4], "b": [0.2, 0.3, 0.5], "c": [0.1, 0.2, 0.4]})
    row = ir.comparison.discriminative_power(frame).table().row(0, named=True)
    assert (row["n_pairs"], row["n_undefined"], row["n_significant"], row["power"]) == (3, 2, 0, 0.0)
    none = ir.comparison.discriminative_power(frame.drop("c")).table().row(0, named=True)
    assert (none["n_undefined"], none["power"]) == (1, 0.0)
    assert ir.comparison.discriminative_power(frame.drop("c")).asl().height == 0


def test_errors() -> None:
    frame = make_case(5)
    with pytest.raises(InvalidParameter, match="alpha is 5") as caught:
        ir.comparison.discriminative_power(frame, alpha=5)
    assert "alpha=0.05" in str(caught.value)
    with pytest.raises(InvalidParameter, match="1 − alpha"):
        ir.comparison.discriminative_power(frame, confidence=0.9)
    with pytest.raises(InvalidParameter, match="'power' is a column of the result already"):
        ir.comparison.discriminative_power(frame.with_columns(power=1), by="power")
    with pytest.raises(InvalidParameter, match="width is 0"):
        ir.comparison.discriminative_power(frame).swaps(width=0)
    with pytest.raises(UnknownName, match="tt"):
        ir.comparison.discriminative_power(frame, test="tt")
    with pytest.raises(InvalidParameter, match="by one test"):
        ir.comparison.discriminative_power(frame, test=["t", "sign"])
    with pytest.raises(NotDefined, match="bayes gives no p-values"):
        ir.comparison.discriminative_power(frame, test="bayes")
    with pytest.raises(NotDefined, match="one system"):
        ir.comparison.discriminative_power(frame.filter(run_id="a")).table()
