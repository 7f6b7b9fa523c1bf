"""Splits at moments that are the same for all users: before and after one, and windows that slide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.engines.frame import Frame, concat
from ireval_frames.errors import Argument, Hint, InvalidParameter, SplitWarning, listed, warn
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.splits.frames import FOLD, WINDOW, Split
from ireval_frames.splits.options import N_WINDOWS
from ireval_frames.splits.pairs import leave_out_of_tests, which_to_leave_out
from ireval_frames.splits.times import Times, is_duration, is_number


def global_time(
    frame: Any,
    time: str,
    test: Any = 0.2,
    *,
    valid: Any = None,
    leave_out: str | Sequence[str] = (),
    user: str = "user_id",
    item: str = "item_id",
    into: str = "split",
    con: Any = None,
) -> Any:
    """Mark rows before one moment as `train`, and those from it on as `test`; with `valid` also rows between the two.

    No training row is later than a test row, of whatever user.  Rows of one time stay together.

    Args:
        frame: any table, or the name of one with `con`.
        time: the column of times: numbers, dates and times, or text of these.
        test: what is tested: a share of the rows, the last ones (0.2; of rows of one time more, so that they stay
            together); a length of time before the last row (`"7d"`, `"1d12h"`, of weeks, days, hours, minutes and
            seconds, or a `timedelta`); or the moment from which on rows are tested (`"2024-03-01"`, a date or time, a
            number where times are numbers).
        valid: what is for validation before that, as `test`: a share, a length of time, or a moment.
        leave_out: what is left out of test and validation rows, whose mark is then null: `cold_users` and `cold_items`
            that are in no training row, `seen` items that the user has in a training row.
        user: the column of users, read for `leave_out` alone.
        item: the column of items, likewise.
        into: the new column.
        con: a DuckDB connection or a Spark session.

    Returns:
        The frame with the new column, as `kfold` returns it.

    Raises:
        MissingColumn, InvalidParameter: a column does not exist, a value is not allowed, or a part would be empty.
        InvalidValue: a time is null or NaN.

    Warns:
        SplitWarning: all rows of a part are left out.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> log = pl.DataFrame({"day": ["2024-03-01", "2024-03-02", "2024-03-09", "2024-03-10"]})
        >>> ir.splits.global_time(log, "day", "7d")["split"].to_list()
        ['train', 'train', 'test', 'test']
    """
    left_out, kind = which_to_leave_out(leave_out), _kind(test)
    if valid is not None and _kind(valid) != kind:
        raise InvalidParameter(
            f"test is a {kind}, but valid is a {_kind(valid)} ({test!r} and {valid!r}).",
            Hint("Write both as one kind, such as ", Argument("test", 0.2), ", ", Argument("valid", 0.1), "."),
        )
    split = Split(frame, [time, *([user, item] if left_out else [])], [into], con)
    times = Times(split, time)
    tested = _since(times, test, "test")
    later = tested if valid is None else _since(times, valid, "valid", before=test)
    mark = when(tested).then(lit("test")).otherwise(when(later).then(lit("valid")).otherwise(lit("train")))
    rows = split.frame.with_columns(**{FOLD: mark})
    present = set(split.collect(rows.count_by(FOLD))[FOLD])
    wanted = ["train", *(["valid"] if valid is not None else []), "test"]
    if empty := [part for part in wanted if part not in present]:
        first, last = (times.written(end) for end in times.ends)
        raise InvalidParameter(
            f"No row is for {listed(empty)}: test is {test!r}"
            + (f" and valid {valid!r}" if valid is not None else "")
            + f", and the times of the rows go from {first} to {last}.",
            "Choose another moment between these.",
        )
    if left_out:
        rows = leave_out_of_tests(split, rows, left_out, split.key(user), split.key(item))
    return split.back(rows, **{FOLD: into})


def _kind(at: Any) -> str:
    """What kind of value says when a part begins."""
    if is_number(at) and 0 < at < 1:
        return "share"
    return "length of time" if is_duration(at) else "moment"


def _since(times: Times, at: Any, name: str, before: Any = None) -> Expr:
    """Whether a row is of a part or later.

    Args:
        times: the times.
        at: when the part begins: a share, a length of time, or a moment.
        name: its argument.
        before: when the part that follows begins, likewise; None for the last one.
    """
    key, last = col(times.key), times.ends[1]
    match _kind(at):
        case "share":
            share = float(at) + float(before or 0.0)
            if share >= 1:
                raise InvalidParameter(
                    f"test and valid are {share:g} together; nothing is left to train on.",
                    Hint("Write ", Argument("test", 0.2), ", ", Argument("valid", 0.1), "."),
                )
            return key >= lit(times.at_share(1.0 - share))
        case "length of time":
            end = last if before is None else times.before(last, before, "test")
            return key > lit(times.before(end, at, name))
    return key >= lit(times.moment(at, name))


def sliding_windows(
    frame: Any,
    time: str,
    test: Any = "7d",
    k: int = 3,
    *,
    train: Any = None,
    step: Any = None,
    gap: Any = None,
    leave_out: str | Sequence[str] = (),
    user: str = "user_id",
    item: str = "item_id",
    window: str = "window",
    into: str = "split",
    con: Any = None,
) -> Any:
    """The rows of k windows in time, each with its training rows before its test rows.

    The last window ends with the last row, and each begins one step before the next.  A row stands once per window
    that has it; rows of no window are left out.  Window w of a length of time ℓ tests the rows of (e − ℓ, e], where e
    is the time of the last row less (k − 1 − w) steps.

    Args:
        frame: any table, or the name of one with `con`.
        time: the column of times: numbers, dates and times, or text of these.
        test: how long a window tests: `"7d"`, `"1d12h"`, a `timedelta`, or a number where times are numbers.
        k: the number of windows.
        train: how long the rows for training reach back; None for all of the past.
        step: how far each window is from the next; None for `test`, so that no row is tested twice.
        gap: how long before the test rows training ends, where what happens takes its time to be known.
        leave_out: what is left out of test rows, whose mark is then null: `cold_users` and `cold_items` that are in no
            training row of the window, `seen` items that the user has in one.
        user: the column of users, read for `leave_out` alone.
        item: the column of items, likewise.
        window: the new column of windows, numbered from 0 in the order of time.
        into: the new column of `train` and `test`.
        con: a DuckDB connection or a Spark session.

    Returns:
        The rows with both columns, as the type they came in, window after window where rows have an order.

    Raises:
        MissingColumn, InvalidParameter: a column does not exist, a value is not allowed, or a window has no rows to
            train on.
        InvalidValue: a time is null or NaN.

    Warns:
        SplitWarning: a window has no rows to test, or all of them are left out.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> log = pl.DataFrame({"day": [1, 2, 3, 4]})
        >>> ir.splits.sliding_windows(log, "day", 1, 2, train=2).rows()
        [(1, 0, 'train'), (2, 0, 'train'), (3, 0, 'test'), (2, 1, 'train'), (3, 1, 'train'), (4, 1, 'test')]
    """
    N_WINDOWS.check("k", k)
    left_out = which_to_leave_out(leave_out)
    split = Split(frame, [time, *([user, item] if left_out else [])], [window, into], con)
    times = Times(split, time)
    first, end = times.ends
    ends = [end]
    while len(ends) < k:
        ends.append(times.before(ends[-1], test if step is None else step, "test" if step is None else "step"))
    parts = [_window(split, times, w, e, (test, train, gap)) for w, e in enumerate(reversed(ends))]
    rows = concat(parts)
    counts = {(w, part) for w, part, _ in split.collect(rows.count_by(WINDOW, FOLD).select(WINDOW, FOLD, "n")).rows()}
    untrained = [w for w in range(k) if (w, "train") not in counts]
    if untrained:
        shown = f"{times.written(first)}, and the last {times.written(end)}"
        fewer = k - len(untrained)
        raise InvalidParameter(
            f"{len(untrained)} of {k} windows have no rows to train on: the first row is of {shown}.",
            Hint("Write ", Argument("k", fewer), ", or shorter windows.") if fewer else "Choose shorter windows.",
        )
    if untested := [w for w in range(k) if (w, "test") not in counts]:
        warn(f"{len(untested)} of {k} windows have no rows to test: {listed(untested)}.", SplitWarning)
    if left_out:
        rows = leave_out_of_tests(split, rows, left_out, split.key(user), split.key(item), WINDOW)
    return split.back(rows, order=WINDOW, **{WINDOW: window, FOLD: into})


def _window(split: Split, times: Times, number: int, end: Any, lengths: tuple[Any, Any, Any]) -> Frame:
    """The rows of one window, which ends at a time."""
    test, train, gap = lengths
    key, start = col(times.key), times.before(end, test, "test")
    trained_until = start if gap is None else times.before(start, gap, "gap")
    trained = key <= lit(trained_until)
    if train is not None:
        trained = trained & (key > lit(times.before(trained_until, train, "train")))
    tested = (key > lit(start)) & (key <= lit(end))
    rows = split.frame.filter(trained | tested)
    mark = when(tested).then(lit("test")).otherwise(lit("train"))
    return rows.with_columns(**{WINDOW: lit(number).cast(pl.Int64), FOLD: mark})
