"""The unanimous improvement ratio, against a loop over units and measures."""

from __future__ import annotations

import math
import random

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import NotDefined, UnknownName

Row = tuple[str, int, str, float | None]


def rows(seed: int, missing: float = 0.0) -> list[Row]:
    """Values of three measures, some of which are equal; of M less is better."""
    rng = random.Random(seed)
    return [
        (system, unit, measure, None if rng.random() < missing else rng.choice((0.1, 0.2, 0.3, 0.1 + 0.2)))
        for system in "abcd"
        for unit in range(12)
        for measure in ("P", "R", "M")
    ]


def frame(of: list[Row]) -> pl.DataFrame:
    return pl.DataFrame(of, schema=["run_id", "query_id", "measure", "value"], orient="row").drop_nulls()


def counted(of: list[Row], one: str, other: str, measures: str, tolerance: float = 1e-12) -> tuple[int, ...]:
    values = {(s, u, m): v for s, u, m, v in of if v is not None}
    n, wins, ties, losses = 0, 0, 0, 0
    for unit in {u for _, u, _, _ in of}:
        pairs = [(values.get((one, unit, m)), values.get((other, unit, m))) for m in measures]
        if any(v is None for pair in pairs for v in pair):
            continue
        gains = [(b - a) * (-1 if m == "M" else 1) for (a, b), m in zip(pairs, measures, strict=True)]  # type: ignore[operator]
        n += 1
        not_worse, not_better = all(g >= -tolerance for g in gains), all(g <= tolerance for g in gains)
        wins += not_worse and not not_better
        losses += not_better and not not_worse
        ties += not_worse and not_better
    return n, wins, ties, losses, n - wins - ties - losses


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("tolerance", [None, 0.15])
def test_every_pair_equals_the_loop(missing: float, tolerance: float | None) -> None:
    for seed in range(3):
        of = rows(seed, missing)
        c = ir.compare(frame(of), lower_is_better="M", missing="intersect", tolerance=tolerance)
        for measures in ("PRM", "PR"):
            table = c.unanimous(list(measures))
            assert table.height == 6
            for row in table.iter_rows(named=True):
                expected = counted(of, row["baseline"], row["system"], measures, tolerance or 1e-12)
                assert (row["n"], row["wins"], row["ties"], row["losses"], row["mixed"]) == expected
                n, wins, _, losses, _ = expected
                assert row["uir"] == ((wins - losses) / n if n else None)
                assert row["n_measures"] == len(measures)


def test_a_baseline_and_groups() -> None:
    """The ratio of a pair is that of the swapped pair with the other sign; each group is compared on its own."""
    of = rows(4)
    c = ir.compare(frame(of), lower_is_better="M", baseline="b")
    forwards = {r["system"]: r["uir"] for r in c.unanimous().iter_rows(named=True)}
    all_pairs = ir.compare(frame(of), lower_is_better="M").unanimous()
    for baseline, system, ratio in all_pairs.select("baseline", "system", "uir").iter_rows():
        if "b" in (baseline, system):
            other, sign = (system, 1) if baseline == "b" else (baseline, -1)
            assert math.isclose(forwards[other], sign * ratio)
    grouped = frame(of).with_columns(half=pl.col("query_id") // 6)
    halves = ir.compare(grouped, lower_is_better="M", by="half").unanimous()
    assert halves.columns[0] == "half"
    for half in (0, 1):
        part = [r for r in of if r[1] // 6 == half]
        row = halves.filter(half=half, baseline="a", system="c").row(0, named=True)
        assert (row["n"], row["wins"], row["ties"], row["losses"], row["mixed"]) == counted(part, "a", "c", "PRM")


def test_errors() -> None:
    c = ir.compare(frame(rows(0)), lower_is_better="M")
    with pytest.raises(NotDefined, match="by several measures"):
        c.unanimous("P")
    with pytest.raises(UnknownName, match="no measure 'AP'"):
        c.unanimous(["P", "AP"])
    with pytest.raises(NotDefined, match="alone"):
        ir.compare(frame(rows(0)).filter(measure="P")).unanimous()
