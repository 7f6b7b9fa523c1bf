"""Measures of lists with sampled candidates: what is estimated, of which ranks, and what is said of such lists."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, NotDefined, SampleWarning
from tests.contract.kit import ENGINES
from tests.oracles import sampled_ranks as oracle

OF_A_RANK: dict[str, Callable[[int], Fraction]] = {
    "HitRate@3": lambda r: Fraction(r <= 3),
    "Precision@3": lambda r: Fraction(r <= 3, 3),
    "F1@3": lambda r: Fraction(r <= 3, 2),
    "MRR": lambda r: Fraction(1, r),
    "MAP@2": lambda r: Fraction(r <= 2, r),
    "NDCG@3": lambda r: Fraction(r <= 3) / Fraction(math.log2(r + 1)),
}


def lists(ranks: list[int], m: int) -> pl.DataFrame:
    """A list of m sampled items per user, with the relevant one `r` at a rank."""
    rows = [
        (f"u{u}", "r" if rank == at else f"i{rank}", rank) for u, at in enumerate(ranks) for rank in range(1, m + 2)
    ]
    return pl.DataFrame(rows, schema=["user_id", "item_id", "rank"], orient="row")


def relevant(users: int) -> pl.DataFrame:
    return pl.DataFrame({"user_id": [f"u{u}" for u in range(users)], "item_id": ["r"] * users})


def candidates(ranks: list[int], m: int, measures: Any = tuple(OF_A_RANK), **options: Any) -> Any:
    recs = ir.Recommendations(lists(ranks, m), relevant=relevant(len(ranks)), engine=options.pop("engine", None))
    return ir.recommendations.sampled_candidates(recs, measures, sampled=m, **options)


@pytest.mark.parametrize("replacement", [True, False])
def test_estimates_against_exact_fractions(*, replacement: bool) -> None:
    n, m = 12, 4
    for gamma in ("0.1", "0.9"):
        of = candidates([1, 2], m, n_items=n, gamma=float(gamma), replacement=replacement)
        estimates = of.estimates()
        for name, function in OF_A_RANK.items():
            rows = estimates.filter(pl.col("measure").str.starts_with(f"{name.replace('MAP', 'MAP(capped=True)')} sam"))
            fitted = oracle.least_squares(function, n, m, Fraction(gamma), replacement=replacement)
            assert rows["least_squares"].to_list() == pytest.approx([float(v) for v in fitted], abs=1e-11)
            guesses = [function(1 + (n - 1) * j // m) for j in range(m + 1)]
            assert rows["rank_estimate"].to_list() == pytest.approx([float(v) for v in guesses], abs=1e-15)
            assert rows["sampled"].to_list() == pytest.approx([float(function(j)) for j in range(1, m + 2)], abs=1e-15)


def test_what_is_expected_of_sampled_values() -> None:
    """An item at rank 1,000 of 10,000 is among the first ten of a hundred in almost half of the cases."""
    of = candidates([1], 99, "HitRate@10 AUC", n_items=10_000, gamma=0.1)
    rows = of.at_ranks([100, 500, 1000])
    assert rows.filter(measure="HitRate@10")["sampled"].round(3).to_list() == [1.0, 0.974, 0.466]
    auc = rows.filter(measure="AUC")
    for column in ("sampled", "rank_estimate", "least_squares"):
        assert auc[column].to_list() == pytest.approx(auc["exact"].to_list(), abs=1e-12)


def test_means_come_near_those_of_all_items() -> None:
    """Of systems of which sampled values say nothing: 1 for both."""
    draw, n, m = random.Random(3), 2_000, 50
    means = {}
    for name, rate in (("better", 0.1), ("worse", 0.05)):
        true = [min(n, 1 + int(math.log(1 - draw.random()) / math.log(1 - rate))) for _ in range(400)]
        ranks = [1 + sum(draw.random() < (r - 1) / (n - 1) for _ in range(m)) for r in true]
        row = candidates(ranks, m, "HitRate@10", n_items=n, gamma=0.001).summary().row(0, named=True)
        exact = sum(r <= 10 for r in true) / len(true)
        assert row["sampled"] == 1.0
        assert abs(row["least_squares"] - exact) < 3 * row["least_squares_se"]
        means[name] = row["least_squares"]
    assert means["better"] > means["worse"]


@pytest.mark.parametrize("engine", ENGINES)
def test_ranks_are_those_of_the_lists(engine: str) -> None:
    of = candidates([3, 1, 5], 4, "MRR HitRate@2", n_items=9, engine=engine)
    rows = of.per_unit().filter(measure="MRR sampled(4, uniform)")
    assert dict(rows.select("user_id", "sampled_rank").rows()) == {"u0": 3, "u1": 1, "u2": 5}
    assert rows.select("sampled").to_series().sum() == pytest.approx(1 / 3 + 1 + 1 / 5)
    assert of.summary()["measure"].to_list() == ["MRR sampled(4, uniform)", "HitRate@2 sampled(4, uniform)"]
    two = pl.concat(lists([1, at], 4).with_columns(run_id=pl.lit(run)) for run, at in (("a", 2), ("b", 4)))
    runs = ir.Recommendations(two, relevant=relevant(2), engine=engine)
    summary = ir.recommendations.sampled_candidates(runs, "MRR", sampled=4, n_items=9).summary()
    assert summary.select("run_id", "sampled").rows() == [("a", 0.75), ("b", 0.625)]


def test_items_drawn_by_popularity_have_no_estimate() -> None:
    with pytest.warns(SampleWarning, match="drawn by popularity"):
        of = candidates([1, 2], 3, "MRR", n_items=9, sampling="popularity")
    row = of.summary().row(0, named=True)
    assert (row["measure"], row["sampled"], row["least_squares"]) == ("MRR sampled(3, popularity)", 0.75, None)
    assert of.at_ranks([1])["rank_estimate"].item() is None


@pytest.mark.parametrize("engine", ENGINES)
def test_lists_that_look_sampled_are_told(engine: str) -> None:
    """Where a catalogue says that most items are in no list."""
    catalogue = pl.DataFrame({"item_id": ["r", *(f"i{i}" for i in range(1, 60))]})
    options: dict[str, Any] = {"relevant": relevant(30), "catalogue": catalogue, "engine": engine}
    recs = ir.Recommendations(lists([2] * 30, 9), **options)
    with pytest.warns(SampleWarning, match=r"lists have 10 of 60 items .*HitRate@1 of such lists"):
        recs.evaluate("HitRate@1 CatalogCoverage").summary()
    recs.evaluate("CatalogCoverage").summary()
    ir.recommendations.sampled_candidates(recs, "MRR", sampled=9, n_items=60)
    # One that is not in its list, and a catalogue that is not much larger.
    ir.Recommendations(lists([2] * 29 + [99], 9), **options).evaluate("MRR").summary()
    ir.Recommendations(lists([2] * 30, 9), **{**options, "catalogue": catalogue.head(30)}).evaluate("MRR").summary()


def test_what_is_refused() -> None:
    with pytest.raises(NotDefined, match=r"NDCG.* has no estimate"):
        candidates([1], 4, "NDCG(ideal='k')@3", n_items=9)
    with pytest.raises(NotDefined, match="ARP has no estimate"):
        candidates([1], 4, "ARP", n_items=9)
    with pytest.raises(InvalidParameter, match="gamma is 0"):
        candidates([1], 4, n_items=9, gamma=0)
    with pytest.raises(InvalidParameter, match=r"9 items cannot be drawn from 8 others.*\n.*n_items=10"):
        candidates([1], 9, n_items=9, replacement=False)
    with pytest.raises(InvalidParameter, match="ranks holds 10"):
        candidates([1], 4, n_items=9).at_ranks([1, 10])
    with pytest.raises(InvalidParameter, match="recs is a DataFrame"):
        ir.recommendations.sampled_candidates(lists([1], 4), "MRR", sampled=4, n_items=9)  # type: ignore[arg-type]
    recs = ir.Recommendations(lists([1, 2], 4), relevant=relevant(2))
    with pytest.raises(InvalidValue, match=r"2 of 2 users have longer lists than 3 .*\n.*sampled=4"):
        ir.recommendations.sampled_candidates(recs, "MRR", sampled=3, n_items=9)
    with pytest.raises(InvalidValue, match="1 of 2 users have a list without their relevant item, such as 'u1'"):
        candidates([1, 9], 4, "MRR", n_items=9)
    several = pl.DataFrame({"user_id": ["u0", "u0"], "item_id": ["r", "i2"]})
    recs = ir.Recommendations(lists([1], 4), relevant=several)
    with pytest.raises(InvalidValue, match="1 of 1 users have several relevant items"):
        ir.recommendations.sampled_candidates(recs, "MRR", sampled=4, n_items=9)
    recs = ir.Recommendations(lists([1, 2], 4), relevant=relevant(1))
    with pytest.warns(SampleWarning, match="1 of 2 users have no relevant item"):
        assert ir.recommendations.sampled_candidates(recs, "MRR", sampled=4, n_items=9).ranks.height == 1


def test_lists_shorter_than_what_was_drawn_are_told() -> None:
    recs = ir.Recommendations(lists([1, 2], 4), relevant=relevant(2))
    with pytest.warns(SampleWarning, match="No list has more than 5 items, though 9 .* among 10"):
        ir.recommendations.sampled_candidates(recs, "MRR", sampled=9, n_items=60)
