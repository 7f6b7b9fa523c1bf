"""Test rows that are left out, since their user or item has no training row, or the user has the item in training."""

from __future__ import annotations

from collections.abc import Sequence

from ireval_frames.columns.user_names import columns_named
from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import SplitWarning, UnknownName, listed, nearest, warn
from ireval_frames.expr import col, lit, when
from ireval_frames.splits.frames import FOLD, Split

LEFT_OUT = ("cold_items", "cold_users", "seen")


def which_to_leave_out(leave_out: str | Sequence[str]) -> tuple[str, ...]:
    """The words of the argument.

    Raises:
        UnknownName: one of them is no such word.
    """
    words = columns_named(leave_out, "leave_out")
    for word in words:
        if word not in LEFT_OUT:
            raise UnknownName(f"leave_out holds {word!r}.", nearest(word, LEFT_OUT))
    return tuple(words)


def leave_out_of_tests(
    split: Split, rows: Frame, leave_out: Sequence[str], user: str, item: str, *within: str
) -> Frame:
    """The rows, of which those in no training part that are to be left out have no mark.

    Args:
        split: what they are of.
        rows: with their mark.
        leave_out: some of `LEFT_OUT`.
        user: the column of users.
        item: the column of items.
        within: columns that tell apart splits of the same rows.

    Warns:
        SplitWarning: all rows of a part are left out.
    """
    if not leave_out:
        return rows
    keys = {"cold_users": (user,), "cold_items": (item,), "seen": (user, item)}
    trained = when(col(FOLD) == "train").then(1.0).otherwise(0.0)
    rows = rows.with_columns(**{f"in_{word}": trained.max().over(*within, *keys[word]) for word in leave_out})
    out = lit(value=False)
    for word in leave_out:
        out = out | ((col(f"in_{word}") > 0) if word == "seen" else (col(f"in_{word}") == 0))
    stays = (col(FOLD) == "train") | ~out
    left = Aggregate("left", "sum", when(stays).then(1.0).otherwise(0.0))
    parts = split.collect(split.engine.group(rows, [*within, FOLD], [left, Aggregate("n", "count", lit(1.0))]))
    if empty := sorted(row for row in parts.rows() if not row[-2]):
        shown = [f"{row[-3]}{f' of window {row[0]}' * len(within)}" for row in empty]
        warn(
            f"No row is left for {listed(shown, 3)}: all {sum(int(row[-1]) for row in empty):,} are left out as "
            f"{' or '.join(leave_out)}.",
            SplitWarning,
        )
    return rows.with_columns(**{FOLD: when(stays).then(col(FOLD)).otherwise(None)})
