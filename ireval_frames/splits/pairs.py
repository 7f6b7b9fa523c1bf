"""Test rows that are left out, since their user or item has no training row, or the user has the item in training."""

from __future__ import annotations

from collections.abc import Sequence

from ireval_frames.columns.user_names import columns_named
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import UnknownName, nearest
from ireval_frames.expr import col, lit, when
from ireval_frames.splits.frames import FOLD

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


def leave_out_of_tests(rows: Frame, leave_out: Sequence[str], user: str, item: str, *within: str) -> Frame:
    """The rows, of which those in no training part that are to be left out have no mark.

    Args:
        rows: with their mark.
        leave_out: some of `LEFT_OUT`.
        user: the column of users.
        item: the column of items.
        within: columns that tell apart splits of the same rows.
    """
    if not leave_out:
        return rows
    keys = {"cold_users": (user,), "cold_items": (item,), "seen": (user, item)}
    trained = when(col(FOLD) == "train").then(1.0).otherwise(0.0)
    rows = rows.with_columns(**{f"in_{word}": trained.max().over(*within, *keys[word]) for word in leave_out})
    out = lit(value=False)
    for word in leave_out:
        out = out | ((col(f"in_{word}") > 0) if word == "seen" else (col(f"in_{word}") == 0))
    return rows.with_columns(**{FOLD: when((col(FOLD) == "train") | ~out).then(col(FOLD)).otherwise(None)})
