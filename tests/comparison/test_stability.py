"""Stability of ranks: what a table shows of draws, which tests/stats holds to loops."""

from __future__ import annotations

import random

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, MismatchedTables, NotDefined


def make_case(seed: int) -> pl.DataFrame:
    rng = random.Random(seed)
    rows = [
        {"lang": lang, "run_id": s, "query_id": q, "measure": m, "value": round(rng.random() + 0.15 * i, 2)}
        for lang in ("de", "en")
        for i, s in enumerate("abcd")
        for q in range(15)
        for m in ("AP", "Errors")
    ]
    return pl.DataFrame(rows)


def test_shape_and_direction() -> None:
    frame = make_case(1)
    actual = ir.comparison.rank_stability(frame, by="lang", lower_is_better="Errors", n_resamples=1000, seed=3)
    table = actual.table()
    assert table.select("measure", "lang").unique(maintain_order=True).rows() == [
        ("AP", "de"), ("AP", "en"), ("Errors", "de"), ("Errors", "en"),
    ]  # fmt: skip
    for part in table.partition_by("measure", "lang"):
        falling = part["measure"][0] == "Errors"
        assert part["mean"].is_sorted(descending=not falling)
        assert part["rank"].to_list() == [1.0, 2.0, 3.0, 4.0]
        assert (part["rank_low"] <= part["rank"]).all()
        assert (part["rank"] <= part["rank_high"]).all()
        assert part["p_best"].sum() == pytest.approx(1.0)
        assert part["n"].unique().to_list() == [15]
    beats = actual.beats()
    assert beats.height == 4 * 12
    both = beats.join(
        beats, left_on=["measure", "lang", "system", "other"], right_on=["measure", "lang", "other", "system"]
    )
    assert (both["p_beats"] + both["p_beats_right"]).to_list() == pytest.approx([1.0] * 48)
    orders = actual.orders()
    assert orders.select("n", "n_systems", "n_resamples", "seed").unique().rows() == [(15, 4, 1000, 3)]
    assert orders["tau_mean"].is_between(0, 1).all()
    assert "1000 draws of units, seed 3." in str(actual)


def test_the_seed_and_not_the_order_of_rows() -> None:
    frame = make_case(2)
    one = ir.comparison.rank_stability(frame, by="lang", n_resamples=1500)
    other = ir.comparison.rank_stability(
        frame.sample(fraction=1, shuffle=True, seed=1), by="lang", n_resamples=1500, threads=1
    )
    for name in ("table", "beats", "orders"):
        assert_frame_equal(getattr(one, name)(), getattr(other, name)())
    assert not one.table().equals(ir.comparison.rank_stability(frame, by="lang", n_resamples=1500, seed=1).table())


def test_missing_and_degenerate() -> None:
    frame = pl.DataFrame({"query_id": [1, 2, 3], "a": [0.1, 0.2, None], "b": [0.4, 0.2, 0.3]})
    with pytest.raises(MismatchedTables, match="intersect"):
        ir.comparison.rank_stability(frame).table()
    assert ir.comparison.rank_stability(frame, missing="intersect").table()["n"].to_list() == [2, 2]
    copies = ir.comparison.rank_stability(frame.select("query_id", "b", c="b"))
    assert copies.table().select("rank", "p_best").rows() == [(1.5, 0.5), (1.5, 0.5)]
    assert copies.orders()["tau_mean"].to_list() == [None]
    apart = frame.with_columns(b=pl.Series([None, None, 0.3]))
    with pytest.raises(NotDefined, match="0 units"):
        ir.comparison.rank_stability(apart, missing="intersect").table()
    with pytest.raises(InvalidParameter, match="n_resamples is 0"):
        ir.comparison.rank_stability(frame, n_resamples=0)
