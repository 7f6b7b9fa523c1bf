"""Leaks of splits in time: training rows that are not earlier than test rows, users and items without training rows."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import InvalidValue, listed
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.splits.frames import Split
from ireval_frames.splits.times import Times

# The place of a part in the order of time, and in how many parts a value is.
PART, FIRST = "part", "first"
IN_ORDER = ("train", "valid", "test")


def parts(split: Split, fold: str) -> tuple[Frame, dict[int, str]]:
    """The rows with the place of their part in the order of time, and the parts by their places.

    Parts are `train`, `valid` and `test`, or numbers; rows without one are left out.

    Raises:
        InvalidValue: the column of parts holds other text.
    """
    key = col(split.key(fold))
    values = split.collect(split.frame.select(fold=key).unique())["fold"].drop_nulls().sort()
    place: Expr = key
    if values.dtype.is_float() and (others := [v for v in values if v != v // 1]):
        raise InvalidValue(
            f"Column {fold!r} holds {listed(map(str, others), 3)}; parts are whole numbers in their order, or `train`, "
            "`valid` and `test`.",
            "Name the column of parts.",
        )
    if values.dtype == pl.String:
        if others := [v for v in values if v not in IN_ORDER]:
            raise InvalidValue(
                f"Column {fold!r} holds {listed(others, 3)}; what is checked by time or by users is `train`, `valid` "
                "and `test`, or numbers in their order.",
                f'Name them so: frame.with_columns(pl.col("{fold}").replace({{"{others[0]}": "train"}}))',
            )
        place = when(key == "train").then(lit(0)).otherwise(when(key == "valid").then(lit(1)).otherwise(lit(2)))
    rows = split.frame.filter(~key.is_null()).with_columns(**{PART: place.cast(pl.Int64)})
    names = {IN_ORDER.index(v) if isinstance(v, str) else int(v): str(v) for v in values}
    return rows, dict(sorted(names.items()))


def late_rows(split: Split, rows: Frame, names: dict[int, str], times: Times) -> pl.DataFrame:
    """Per part after the first: how many rows of earlier parts are not earlier than its first row."""
    engine, time = split.engine, col(times.key)
    ends = Aggregate("start", "min", time), Aggregate("n", "count", lit(1.0))
    starts = {p: (start, n) for p, start, n in split.collect(engine.group(rows, [PART], ends)).rows()}
    out = []
    for part in list(names)[1:]:
        start = starts[part][0]
        before = sum(int(n) for p, (_, n) in starts.items() if p < part)
        # Where every time of a part is null, nothing is known to be later.
        late = rows.filter(col(PART) < part, time >= lit(start)) if start is not None else rows.filter(lit(value=False))
        n = int(split.collect(engine.group(late, [], [Aggregate("n", "count", lit(1.0))]))["n"][0])
        out.append(
            (times.column, names[part], None if start is None else str(times.written(start)), n, n / before, not n)
        )
    return _rows(out)


def late_rows_of_users(split: Split, rows: Frame, names: dict[int, str], times: Times, user: str) -> pl.DataFrame:
    """Per part after the first: how many of its users have a row in an earlier part that is not earlier."""
    key = split.key(user)
    ends = Aggregate("start", "min", col(times.key)), Aggregate("end", "max", col(times.key))
    spans = split.engine.group(rows, [key, PART], ends)
    spans = spans.with_columns(end=col("end").cum_max().over(key, order_by=PART))
    spans = spans.with_columns(before=col("end").shift(1).over(key, order_by=PART))
    late = when(col("before") >= col("start")).then(lit(value=True)).otherwise(lit(value=False))
    return _counted(split, spans.with_columns(flag=late), names, user)


def known(split: Split, rows: Frame, names: dict[int, str], columns: tuple[str, ...]) -> pl.DataFrame:
    """Per part after the first: how many of its users or items are in no earlier part, or how many pairs are in one."""
    keys = [split.key(c) for c in columns]
    once = split.engine.group(rows, [*keys, PART], [])
    once = once.with_columns(**{FIRST: col(PART).min().over(*keys)})
    flag = (col(FIRST) < col(PART)) if len(columns) > 1 else (col(FIRST) == col(PART))
    return _counted(split, once.with_columns(flag=flag), names, *columns)


def _counted(split: Split, values: Frame, names: dict[int, str], *columns: str) -> pl.DataFrame:
    """Per part after the first the number of values that are flagged, their share, and the first of them."""
    keys = [split.key(c) for c in columns]
    counts = {
        (p, f): int(n) for p, f, n in split.collect(values.count_by(PART, "flag").select(PART, "flag", "n")).rows()
    }
    out = []
    for part in list(names)[1:]:
        n, others = counts.get((part, True), 0), counts.get((part, False), 0)
        example = None
        if n:
            flagged = values.filter(col("flag"), col(PART) == part).select(*keys).sort(*keys).head(1)
            example = ", ".join(map(str, split.collect(flagged).row(0)))
        out.append((", ".join(columns), names[part], example, n, n / (n + others) if n + others else None, not n))
    return _rows(out)


def _rows(rows: Sequence[tuple[object, ...]]) -> pl.DataFrame:
    columns = ["column", "fold", "value", "n", "share", "ok"]
    return pl.DataFrame(rows, schema=columns, orient="row", infer_schema_length=None)
