"""Counting better rows, held equal to a plain loop."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import polars as pl
import pytest

from ireval_frames.engines.base import Ranking
from ireval_frames.engines.polars import hashes
from ireval_frames.engines.polars.hashes import HashFilter
from ireval_frames.engines.polars.ranking import bisection, group_numbers, rank_by_counting

DTYPES: dict[str, list[float]] = {
    "few values": [0.0, -0.0, 1.0, -2.5],
    "float": [float("inf"), float("-inf"), 1e-320, -1e-320, 1.0, 1.0 + 2**-52, -1.0, -1.0 - 2**-52, 0.0, -0.0],
    "integer": [2**53, 2**53 + 1, -(2**53), -(2**53) - 1, 0, 7],
}


def frame_of(rng: random.Random, values: str, groups: int) -> pl.DataFrame:
    rows = [
        (g, rng.choice(DTYPES[values]), f"d{n}")
        for g in range(groups)
        for n in rng.sample(range(40), rng.choice([1, 2, 5, 20]))
    ]
    return pl.DataFrame(rows, schema=["group", "value", "id"], orient="row")


def rows_before(frame: pl.DataFrame, position: int, *, value_descends: bool, id_descends: bool) -> int:
    group, value, name = frame.row(position)
    before = 0
    for other_group, other_value, other_name in frame.iter_rows():
        if other_group != group or other_name == name:
            continue
        if other_value == value:
            before += (other_name > name) == id_descends
        else:
            before += (other_value > value) == value_descends
    return before


def order(*, value_descends: bool, id_descends: bool) -> Ranking:
    return Ranking(("group",), (("value", value_descends), ("id", id_descends)))


def of_groups(frame: pl.DataFrame) -> tuple[Any, Any]:
    sizes = frame.group_by("group", maintain_order=True).len()["len"].to_numpy().astype(np.int64)
    return np.cumsum(sizes) - sizes, sizes


@pytest.mark.parametrize("value_descends", [True, False])
@pytest.mark.parametrize("id_descends", [True, False])
@pytest.mark.parametrize("values", DTYPES)
@pytest.mark.parametrize("step", [1, 16, 10**6])
def test_rows_before(
    step: int, values: str, monkeypatch: pytest.MonkeyPatch, *, value_descends: bool, id_descends: bool
) -> None:
    monkeypatch.setattr(rank_by_counting, "STEP", step)
    monkeypatch.setattr(rank_by_counting, "MOST_TIES", 1000)
    monkeypatch.setattr(bisection, "STEP", step)
    monkeypatch.setattr(bisection, "CELLS_PER_ROW", 1000)
    rng = random.Random(f"{step} {values} {value_descends}")
    for _ in range(4):
        frame = frame_of(rng, values, 12)
        positions = np.array(sorted(rng.sample(range(frame.height), frame.height // 3)))
        expected = [
            rows_before(frame, int(p), value_descends=value_descends, id_descends=id_descends) for p in positions
        ]
        starts, sizes = of_groups(frame)
        rows = rank_by_counting.compared(frame, order(value_descends=value_descends, id_descends=id_descends))
        assert rows is not None
        before = rank_by_counting.rows_before(rows, starts, sizes, positions)
        assert before is not None
        assert list(before) == expected
        # The same rows in random order.
        shuffled = rng.sample(range(frame.height), frame.height)
        rows = rank_by_counting.compared(frame[shuffled], order(value_descends=value_descends, id_descends=id_descends))
        assert rows is not None
        where = np.array([shuffled.index(p) for p in positions])
        group = frame["group"].gather(shuffled).cast(pl.UInt32).to_numpy()
        anywhere = np.argsort(where)
        bisected = bisection.Bisection(rows, group, len(sizes), where[anywhere])
        assert bisected.fits
        actual = bisected.count(map)
        assert actual is not None
        assert list(actual[0]) == [expected[n] for n in anywhere]
        assert list(actual[1]) == list(sizes)


def test_many_requested_rows_are_left_to_a_sort(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rank_by_counting, "MOST_ROUNDS", 2)
    frame = pl.DataFrame({"group": [0] * 50, "value": range(50), "id": [f"d{i}" for i in range(50)]})
    rows = rank_by_counting.compared(frame, order(value_descends=True, id_descends=True))
    assert rows is not None
    before = rank_by_counting.rows_before(rows, *of_groups(frame), np.array([3, 20]))
    assert before is not None
    assert list(before) == [46, 29]
    assert rank_by_counting.rows_before(rows, *of_groups(frame), np.array([3, 20, 21])) is None
    group = np.zeros(50, dtype=np.uint32)
    assert bisection.Bisection(rows, group, 1, np.arange(31)).fits
    assert not bisection.Bisection(rows, group, 1, np.arange(32)).fits


def test_many_ties_are_left_to_a_sort() -> None:
    frame = pl.DataFrame({"group": [0] * 50, "value": [1.0] * 50, "id": [f"d{i}" for i in range(50)]})
    rows = rank_by_counting.compared(frame, order(value_descends=True, id_descends=True))
    assert rows is not None
    assert rank_by_counting.rows_before(rows, *of_groups(frame), np.array([3, 20])) is None
    group = np.zeros(50, dtype=np.uint32)
    assert bisection.Bisection(rows, group, 1, np.array([3, 20])).count(map) is None


@pytest.mark.parametrize("values", [[1.0, None], [1.0, float("nan")], ["a", "b"]])
def test_other_values_are_left_to_a_sort(values: list[Any]) -> None:
    frame = pl.DataFrame({"group": [0, 0], "value": values, "id": ["a", "b"]})
    assert rank_by_counting.compared(frame, order(value_descends=True, id_descends=True)) is None


@pytest.mark.parametrize("sample", [1, 10, 10**6])
@pytest.mark.parametrize("rows_each", [1, 10**6])
@pytest.mark.parametrize("bits", [1, 3, 22])
def test_groups_of_scattered_rows(bits: int, rows_each: int, sample: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All groups are found by a table of two cells for thirty groups, also those outside of the sample."""
    monkeypatch.setattr(group_numbers, "MOST_BITS", bits)
    monkeypatch.setattr(group_numbers, "ROWS_EACH", rows_each)
    monkeypatch.setattr(group_numbers, "SAMPLE_ROWS", sample)
    rng = random.Random(bits)
    names = [(rng.choice([None, "a", "b"]), rng.choice([None, 1.5, float("nan"), n])) for n in range(30)]
    rows = [rng.choice(names) for _ in range(500)]
    frame = pl.DataFrame(rows, schema=["run", "query"], orient="row", strict=False)
    groups = group_numbers.Groups(frame, ("run", "query"))
    monkeypatch.setattr(group_numbers, "STEP", 130)
    numbers, begins = groups.numbered(map, lambda begin, _: begin)
    assert begins == [0, 130, 260, 390]
    assert groups.keys.n_unique() == groups.keys.height == frame.n_unique()
    assert groups.keys[numbers].equals(frame)


@pytest.mark.parametrize("size", [1, 3, 200])
@pytest.mark.parametrize("cached", [1, 18])
def test_hash_filter(cached: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashes, "CACHED_BITS", cached)
    rng = random.Random(size)
    some = [rng.getrandbits(64) for _ in range(size)]
    # Many have the same first bits; the largest and smallest are included.
    among = [*some, 0, 2**64 - 1, *(n ^ 1 for n in some), *(rng.getrandbits(64) for _ in range(300)), *some]
    actual = HashFilter(np.array(some, dtype=np.uint64)).positions(np.array(among, dtype=np.uint64))
    assert list(actual) == [i for i, n in enumerate(among) if n in set(some)]


@pytest.mark.parametrize("few", [0, 10**6])
def test_hashes_that_all_differ(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashes, "FEW", few)
    some = [0, 1, 2**63 - 1, 2**63, 2**64 - 1]
    assert hashes.all_differ(pl.Series(some, dtype=pl.UInt64))
    assert hashes.all_differ(pl.Series([], dtype=pl.UInt64))
    for one in some:
        assert not hashes.all_differ(pl.Series([*some, one], dtype=pl.UInt64))
