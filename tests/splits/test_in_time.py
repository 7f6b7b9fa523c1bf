"""Splits in time: what the loops of their definitions give, on both engines and in every order of the rows."""

from __future__ import annotations

import datetime as dt
import math
import random
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    MissingColumn,
    SplitWarning,
    UnknownName,
    WrongType,
)
from tests.splits.test_folds import relation

Row = tuple[str, str, int]
Marks = dict[Row, str | None]
EVENTS = pl.DataFrame({"user_id": list("aaaabbbc"), "item_id": list("xyzwxyzx"), "time": [1, 2, 3, 9, 2, 4, 8, 7]})
few = pytest.mark.filterwarnings("ignore:.*users have:ireval_frames.errors.SplitWarning")
empty = pytest.mark.filterwarnings("ignore:.*(have no rows to test|No row is left):ireval_frames.errors.SplitWarning")


def log(seed: int) -> pl.DataFrame:
    """Users of one to eight rows, no two of which are equal; many share a time."""
    draw = random.Random(seed)
    rows: set[Row] = set()
    for user in range(8):
        rows |= {(f"u{user}", f"i{draw.randrange(6)}", draw.randrange(20)) for _ in range(draw.randint(1, 8))}
    shuffled = sorted(rows)
    draw.shuffle(shuffled)
    return pl.DataFrame(shuffled, schema=["user_id", "item_id", "time"], orient="row")


def marked(rows: pl.DataFrame) -> Marks:
    return {(u, i, t): mark for u, i, t, mark in rows.select("user_id", "item_id", "time", "split").rows()}


def without(marks: Marks, leave_out: tuple[str, ...]) -> Marks:
    """The marks, without those of test rows that are left out."""
    train = [row for row, mark in marks.items() if mark == "train"]
    users, items, pairs = {r[0] for r in train}, {r[1] for r in train}, {r[:2] for r in train}
    out = dict(marks)
    for row, mark in marks.items():
        cold = ("cold_users" in leave_out and row[0] not in users) or (
            "cold_items" in leave_out and row[1] not in items
        )
        if mark != "train" and (cold or ("seen" in leave_out and row[:2] in pairs)):
            out[row] = None
    return out


def last_out(rows: list[Row], test: int, valid: int, min_train: int) -> Marks:
    by_user = defaultdict(list)
    for row in rows:
        by_user[row[0]].append(row)
    out: Marks = {}
    for of_user in by_user.values():
        of_user.sort(key=lambda row: (row[2], row[1]))
        enough = len(of_user) >= test + valid + min_train
        for place, row in enumerate(reversed(of_user)):
            out[row] = "train" if not enough or place >= test + valid else "test" if place < test else "valid"
    return out


def on_both(way: Callable[..., Any], frame: pl.DataFrame, *values: Any, **options: Any) -> pl.DataFrame:
    """The split, which is the same in DuckDB and for rows in another order."""
    expected: pl.DataFrame = way(frame, *values, **options)
    # Times with a zone leave DuckDB in that of its connection.
    columns = [c for c in expected.columns if c != "at"]
    for other in (way(relation(frame), *values, **options).pl(), way(frame.reverse(), *values, **options)):
        assert other.select(columns).sort(columns).equals(expected.select(columns).sort(columns))
    return expected


LEFT_OUT: list[tuple[str, ...]] = [(), ("cold_users", "cold_items"), ("seen",), ("cold_items", "seen")]


@few
@pytest.mark.parametrize("seed", range(2))
def test_last_rows_against_a_loop(seed: int) -> None:
    draw, frame = random.Random(seed), log(seed)
    for leave_out in LEFT_OUT:
        test, valid, min_train = draw.randint(1, 3), draw.randint(0, 2), draw.randint(0, 2)
        options = {"valid": valid, "min_train": min_train, "leave_out": leave_out}
        actual = on_both(ir.splits.leave_last_out, frame, "time", test, **options)
        assert marked(actual) == without(last_out(frame.rows(), test, valid, min_train), leave_out)
        assert actual.drop("split").equals(frame)


def test_users_that_a_split_cannot_serve_are_told() -> None:
    with pytest.warns(SplitWarning, match="2 of 3 users have fewer than 4 rows"):
        ir.splits.leave_last_out(EVENTS, "time", 2, valid=1)
    tied = EVENTS.with_columns(time=pl.lit(1))
    with pytest.warns(SplitWarning) as caught:
        split = ir.splits.leave_last_out(tied, "time")
    assert [str(w.message)[:21] for w in caught] == ["1 of 3 users have few", "2 of 3 users have tra"]
    assert split.filter(pl.col("split") == "test").select("user_id", "item_id").rows() == [("a", "z"), ("b", "z")]


@pytest.mark.parametrize("seed", range(2))
def test_one_moment_against_a_loop(seed: int) -> None:
    frame, draw = log(seed), random.Random(seed)
    times = sorted(frame["time"])
    first, later = times[0] + 5, times[0] + 11
    share = draw.choice([0.1, 0.25, 1 / 3])
    at, before = times[int(len(times) * (1 - share) + 1e-9)], times[int(len(times) * (1 - 2 * share) + 1e-9)]
    ways: list[tuple[Any, Any, Any]] = [
        (share, None, lambda t: t >= at),
        (share, share, lambda t: t >= before),
        (later, None, lambda t: t >= later),
        (later, first, lambda t: t >= first),
    ]
    for (test, valid, is_later), leave_out in zip(ways, LEFT_OUT, strict=True):
        start = at if test == share else later

        def mark(t: int, is_later: Any = is_later, start: int = start) -> str:
            return "test" if t >= start else "valid" if is_later(t) else "train"

        actual = on_both(ir.splits.global_time, frame, "time", test, valid=valid, leave_out=leave_out)
        assert marked(actual) == without({row: mark(row[2]) for row in frame.rows()}, leave_out)
        assert ir.splits.check_split(actual, time="time", column="split").filter(check="time")["ok"].all()


@empty
@pytest.mark.parametrize("seed", range(2))
def test_windows_against_a_loop(seed: int) -> None:
    frame, draw = log(seed), random.Random(seed)
    last = max(frame["time"])
    for leave_out in LEFT_OUT:
        test, step, gap, train = (
            draw.randint(1, 4),
            draw.choice([None, 1, 3]),
            draw.choice([None, 1]),
            draw.choice([None, 9]),
        )
        options = {"step": step, "gap": gap, "train": train, "leave_out": leave_out}
        actual = on_both(ir.splits.sliding_windows, frame, "time", test, 3, **options)
        for window in range(3):
            end = last - (2 - window) * (step or test)
            until = end - test - (gap or 0)
            marks: Marks = {}
            for row in frame.rows():
                if end - test < row[2] <= end:
                    marks[row] = "test"
                elif row[2] <= until and (train is None or row[2] > until - train):
                    marks[row] = "train"
            assert marked(actual.filter(window=window)) == without(marks, leave_out)
        assert actual["window"].is_sorted()


def kinds_of_times() -> dict[str, pl.Series]:
    start = dt.datetime(2026, 3, 1, 12, 0, 5)  # noqa: DTZ001 - a column without a zone
    hours = pl.Series([start + dt.timedelta(hours=11 * i) for i in range(30)])
    return {
        "times": hours,
        "milliseconds": hours.cast(pl.Datetime("ms")),
        "zoned": hours.dt.replace_time_zone("Asia/Tokyo"),
        "iso text": hours.dt.to_string("%Y-%m-%d %H:%M:%S.%3f+09:00"),
    }


@pytest.mark.parametrize("kind", kinds_of_times())
def test_lengths_and_moments_in_every_kind_of_time(kind: str) -> None:
    hours = kinds_of_times()
    frame = pl.DataFrame({"at": hours[kind], "plain": hours["times"]})
    start = dt.datetime(2026, 3, 10, 0, 0)  # noqa: DTZ001
    plain, end = pl.col("plain"), hours["times"][29]
    moment = "2026-03-10T00:00:00+09:00" if kind in ("zoned", "iso text") else "2026-03-10"
    for test, valid, expected in (
        ("2d12h", "1d", (plain > end - dt.timedelta(days=2.5), plain > end - dt.timedelta(days=3.5))),
        (dt.timedelta(days=3), None, (plain > end - dt.timedelta(days=3), pl.lit(False))),  # noqa: FBT003
        (moment, None, (plain >= start, pl.lit(False))),  # noqa: FBT003
    ):
        actual = on_both(ir.splits.global_time, frame, "at", test, valid=valid)
        marks = (
            pl.when(expected[0]).then(pl.lit("test")).when(expected[1]).then(pl.lit("valid")).otherwise(pl.lit("train"))
        )
        assert actual.select((pl.col("split") == marks).all()).item()
    windows = on_both(ir.splits.sliding_windows, frame, "at", "3d", 2, gap="1d")
    assert windows.filter(window=1, split="test")["plain"].min() > end - dt.timedelta(days=3)
    assert windows.filter(window=1, split="train")["plain"].max() <= end - dt.timedelta(days=4)


def test_days_and_numbers_that_are_text() -> None:
    days = pl.DataFrame({"day": ["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-08"]})
    for frame in (days, days.with_columns(pl.col("day").str.to_date())):
        assert on_both(ir.splits.global_time, frame, "day", "1w")["split"].to_list() == ["train"] * 3 + ["test"]
        by_day = on_both(ir.splits.global_time, frame, "day", "2026-03-01", valid=dt.date(2026, 2, 28))
        assert by_day["split"].to_list() == ["train", "valid", "test", "test"]
    # As text "10" is before "9".
    numbers = pl.DataFrame({"time": ["9", "10", "-3", "8"]})
    for frame in (numbers, numbers.with_columns(pl.col("time") + ".5")):
        assert on_both(ir.splits.global_time, frame, "time", 9.7)["split"].to_list()[1] == "test"
        assert on_both(ir.splits.by_time, frame, "time", 3)["fold"].to_list() == [1, 2, -1, 0]
    with pytest.warns(SplitWarning, match="such as 'week 10', and is ordered as text"):
        ir.splits.by_time(pl.DataFrame({"w": ["week 10", "week 9"]}), "w", 1)


def test_leaks() -> None:
    """Of a split per user, of windows, and of one whose training rows are later."""
    split = ir.splits.leave_last_out(EVENTS.head(7), "time", valid=1)
    names = {"time": "time", "user": "user_id", "item": "item_id"}
    for source in (split, relation(split)):
        checks = ir.splits.check_split(source, column="split", **names)
        rows = checks.filter(~pl.col("check").is_in(["rows"])).select(
            "check", "column", "fold", "value", "n", "share", "ok"
        )
        assert rows.rows() == [
            # Training: a 1 2, b 2; validation: a 3, b 4; test: a 9, b 8.
            ("time", "time", "valid", "3", 0, 0.0, True),
            ("time", "time", "test", "8", 0, 0.0, True),
            ("user_time", "user_id", "valid", None, 0, 0.0, True),
            ("user_time", "user_id", "test", None, 0, 0.0, True),
            ("cold", "user_id", "valid", None, 0, 0.0, True),
            ("cold", "user_id", "test", None, 0, 0.0, True),
            ("cold", "item_id", "valid", "z", 1, 0.5, False),
            ("cold", "item_id", "test", "w", 1, 0.5, False),
            ("seen", "user_id, item_id", "valid", None, 0, 0.0, True),
            ("seen", "user_id, item_id", "test", None, 0, 0.0, True),
        ]
    turned = EVENTS.with_columns(fold=pl.Series([1, 1, 1, 0, 0, 0, 1, 1]))
    again = pl.concat([turned, turned.head(1).with_columns(time=pl.lit(10, pl.Int64), fold=pl.lit(0, pl.Int64))])
    checks = ir.splits.check_split(again, **names)
    assert checks.filter(check="time").select("n", "share").row(0) == (4, 1.0)
    assert checks.filter(check="user_time").select("n", "share", "value").row(0) == (1, 1 / 3, "a")
    assert checks.filter(check="seen").select("n", "share", "value").row(0) == (1, 0.2, "a, x")
    assert checks.filter(check="cold", column="user_id").select("n", "value").row(0) == (1, "c")


@empty
def test_windows_are_checked_one_by_one() -> None:
    windows = ir.splits.sliding_windows(EVENTS, "time", 2, 3)
    for source in (windows, relation(windows)):
        checks = ir.splits.check_split(source, column="split", window="window", time="time", user="user_id")
        assert checks.columns[:2] == ["window", "check"]
        assert checks.filter(check="time")["ok"].to_list() == [True] * checks.filter(check="time").height
        assert not ir.splits.check_split(source, column="split", time="time").filter(check="time")["ok"].item()
    # Rows of no window are checked, too.
    nulls = windows.with_columns(window=pl.when(pl.col("window") > 0).then("window"))
    for source in (nulls, relation(nulls)):
        rows = ir.splits.check_split(source, column="split", window="window").filter(check="rows")
        assert (rows["n"].sum(), rows["window"].null_count() > 0) == (windows.height, True)


BAD: dict[str, tuple[Callable[[pl.DataFrame], Any], type[Exception], str]] = {
    "no unit": (lambda f: ir.splits.global_time(f, "time", "7d"), InvalidParameter, 'pl.from_epoch\\("time"'),
    "no rows": (lambda f: ir.splits.global_time(f, "time", 100), InvalidParameter, "for test: .* go from 1 to 9"),
    "all rows": (lambda f: ir.splits.global_time(f, "time", 1), InvalidParameter, "No row is for train"),
    "kinds": (lambda f: ir.splits.global_time(f, "time", 0.2, valid=3), InvalidParameter, "but valid is a moment"),
    "shares": (lambda f: ir.splits.global_time(f, "time", 0.5, valid=0.5), InvalidParameter, "1 together"),
    "moment": (lambda f: ir.splits.global_time(f, "time", "soon"), InvalidParameter, "test=9"),
    "windows": (lambda f: ir.splits.sliding_windows(f, "time", 2, 6), InvalidParameter, "Write k=4"),
    "length": (lambda f: ir.splits.sliding_windows(f, "time", 0), InvalidParameter, "test is 0"),
    "words": (lambda f: ir.splits.global_time(f, "time", leave_out="cold"), UnknownName, "cold_items or cold_users"),
    "count": (lambda f: ir.splits.leave_last_out(f, "time", 0), InvalidParameter, "test is 0"),
    "null": (
        lambda f: ir.splits.global_time(f.with_columns(time=pl.when(pl.col("time") > 2).then("time")), "time"),
        InvalidValue, "null in 3 of 8 rows",
    ),
    "null user": (
        lambda f: ir.splits.leave_last_out(f.with_columns(user_id=None), "time"), InvalidValue, "'user_id' is null",
    ),
    "nan": (
        lambda f: ir.splits.sliding_windows(f.with_columns(time=float("nan")), "time", 1), InvalidValue, "nan in 8",
    ),
    "twice": (
        lambda f: ir.splits.leave_last_out(pl.concat([f, f.head(2)]), "time"), DuplicateRows,
        r'2 times .*user_id \'a\'.*\n.*unique\(\["user_id", "item_id", "time"\]\)',
    ),
    "text": (
        lambda f: ir.splits.global_time(f.with_columns(time=pl.lit("2026-03")), "time", "7d"), WrongType, "to_datetime",
    ),
    "parts": (
        lambda f: ir.splits.check_split(f.with_columns(fold=pl.lit("a")), time="time"), InvalidValue, "'fold' holds a",
    ),
    "length below 0": (
        lambda f: ir.splits.sliding_windows(f, "time", 2, gap=-1), InvalidParameter, "gap is -1; .*above 0",
    ),
    "nan of one row": (
        lambda f: ir.splits.leave_last_out(f.with_columns(time=pl.Series([math.nan, *map(float, range(7))])), "time"),
        InvalidValue, r"'time' is nan in 1 rows.*\n.*is_nan\(\)",
    ),
    "window is there": (
        lambda f: ir.splits.sliding_windows(f.with_columns(window=1), "time", 2), InvalidParameter, 'window="window_2"',
    ),
    "column": (lambda f: ir.splits.leave_last_out(f, "tme"), MissingColumn, "Did you mean time"),
    "parts of tenths": (
        lambda f: ir.splits.check_split(f.with_columns(fold=pl.col("time") / 10), time="time"), InvalidValue, "whole",
    ),
    "no table": (lambda f: ir.splits.global_time(f.clear(), "time"), InvalidValue, "no rows"),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:Column 'time' holds text")
@pytest.mark.parametrize("case", BAD)
def test_what_is_refused(case: str) -> None:
    way, error, text = BAD[case]
    with pytest.raises(error, match=f"(?s){text}"):
        way(EVENTS)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_parts_of_which_all_rows_are_left_out_are_told(engine: str) -> None:
    log = pl.DataFrame({"user_id": ["a", "b", "c", "d"], "item_id": ["x"] * 4, "time": [1, 2, 3, 4]})
    frame = log if engine == "polars" else relation(log)
    with pytest.warns(SplitWarning, match="left for test: all 2 are left out as cold_users"):
        ir.splits.global_time(frame, "time", 0.5, leave_out="cold_users")
    with pytest.warns(SplitWarning, match="left for test of window 0, test of window 1: all 2 are"):
        ir.splits.sliding_windows(frame, "time", 1, 2, leave_out=["cold_users", "seen"])


def test_the_hint_for_numbers_works() -> None:
    frame = EVENTS.with_columns(pl.from_epoch("time", time_unit="s"))
    assert ir.splits.global_time(frame, "time", "2s")["split"].to_list().count("test") == 2
