"""The frame that is split: opened on its engine, and returned as a frame of it.

Inside, every column of the user has an alias (`c0`, `c1` …), and so have the columns that a split adds, so that no two
names collide.  The columns that a split reads are also keys (`k0`, `k1` …), in a type that is the same on every engine.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import zoneinfo
from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.schema import UNTYPED
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.opening import Source, open_engine, open_source
from ireval_frames.errors import (
    Argument,
    Code,
    DuplicateRows,
    Hint,
    InvalidParameter,
    InvalidValue,
    MissingColumn,
    WrongType,
    listed,
    nearest,
    rows_to_fix,
)
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.io.reading import TABLE
from ireval_frames.io.storage.places import is_text

# The columns that a split adds, before they get the user's names.
FOLD, REPEAT, WINDOW, HASH, PLACE, ROW = "fold", "repeat", "window", "hash", "place", "row"
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


class Split:
    """A frame to be split, and the columns of the split.

    Args:
        frame: any table.
        columns: the columns that the split reads.
        result: the columns that it adds: the last one `into=` names, one before it `window=`.
        con: a DuckDB connection or a Spark session; strings are then names of its tables.

    Attributes:
        frame: its rows, which get more columns.
        types: the types of the columns that it reads.
    """

    def __init__(self, frame: Any, columns: Sequence[str], result: Sequence[str], con: Any = None) -> None:
        self._input = frame
        self.engine: Engine = open_engine(frame, None, con)
        opened = open_source(Source(frame, "items", TABLE), self.engine, any_names=True)
        self.names = list(opened.columns)
        for column in columns:
            if not isinstance(column, str):
                raise InvalidParameter(
                    f"{column!r} is not a name of a column.", "Name one column; make one of several with pl.concat_str."
                )
            if column not in self.names:
                near = nearest(column, self.names)
                hint: str = "Name one that it has, or rename its columns."
                if column == "item_id":
                    number = Code('frame.with_row_index("item_id")', "a column item_id")
                    hint = Hint(
                        "Name the column of ids: ", Argument("item", "their_name"), ", or number the rows: ", number
                    )
                raise MissingColumn(
                    f"The frame has no column {column!r} (it has: {listed(self.names, 20)}).",
                    near if near.startswith("Did") else hint,
                )
        # For DuckDB names that differ by case are the same.
        normalized = str if self.engine.case_sensitive else str.lower
        used = {normalized(n) for n in self.names}
        for i, column in enumerate(result, 1):
            argument = "into" if i == len(result) else "window"
            if not isinstance(column, str) or not column or not is_text(column):
                raise InvalidParameter(
                    f"{column!r} is not a name of a column.", Hint("Name the new one: ", Argument(argument, "fold"))
                )
            if normalized(column) in used:
                line = (
                    "Drop or rename it first."
                    if column == "repeat"
                    else Hint("Choose another name: ", Argument(argument, f"{column}_2"))
                )
                raise InvalidParameter(f"The frame has a column {column!r} already.", line)
            used.add(normalized(column))
        self._aliases = {name: f"c{i}" for i, name in enumerate(self.names)}
        rows = opened.lazy().rename(self._aliases)
        self._keys = {name: f"k{i}" for i, name in enumerate(dict.fromkeys(columns))}
        types = rows.collect_schema()
        self.types = {name: types[self._aliases[name]] for name in self._keys}
        keys = {key: _key(name, self._aliases[name], self.types[name]) for name, key in self._keys.items()}
        self.frame = rows.with_columns(**keys) if keys else rows
        # Joins and windows return rows in any order; frames of this process are returned in their own.
        self.ordered = self.engine.ordered_rows
        if self.ordered:
            self.frame = self.engine.number(self.frame, ROW)

    def key(self, name: str) -> str:
        """The key of a column that the split reads."""
        return self._keys[name]

    def hashed(self, key: str, seed: int) -> Frame:
        """The frame with the hash of a key; rows in which it is null share one hash."""
        rows = self.engine.hashed(self.frame, key, seed, HASH)
        return rows.with_columns(
            col(HASH).fill_null(
                int.from_bytes(hashlib.md5(f"{seed}:".encode(), usedforsecurity=False).digest()[8:], "little") >> 1
            )
        )

    def placed(self, item: str, stratify: str | None, seed: int) -> Frame:
        """The frame with the place of each row, from 0, in the order of the classes and then of the hashes of the ids.

        Raises:
            DuplicateRows, InvalidValue: the ids are not unique, or null.
        """
        self.needs_unique(item)
        order = [*([self.key(stratify)] if stratify else []), HASH, self.key(item)]
        rows = self.hashed(self.key(item), seed).with_row_index(PLACE, order_by=order)
        return rows.with_columns(col(PLACE).cast(pl.Int64))

    def collect(self, frame: Frame) -> pl.DataFrame:
        """The rows as a Polars frame."""
        with self.engine.errors():
            return self.engine.collect(frame)

    def ids(self, name: str) -> Frame:
        """The user's own values of a column, sorted."""
        return self.frame.sort(self.key(name)).select(self._aliases[name])

    def back(self, frame: Frame, order: str = "", **added: str) -> Any:
        """The rows with the added columns, as the type of the frame that came in: eager, lazy, or a relation.

        Args:
            frame: the rows.
            order: the column that they are ordered by first, where a row stands several times.
            added: the user's names of the added columns, by ours.
        """
        rows = (frame.sort(*([order] if order else []), ROW) if self.ordered else frame).select(
            *self._aliases.values(), *added
        )
        named = rows.rename({alias: name for name, alias in self._aliases.items()} | added)
        native = named.to_native()
        return self.collect(named) if self.ordered and not isinstance(self._input, pl.LazyFrame) else native

    def needs_unique(self, name: str) -> None:
        """Refuse ids that are null or not unique.

        Raises:
            DuplicateRows: an id is not unique.
            InvalidValue: an id is null.
        """
        key = self.key(name)
        counted = self.frame.count_by(key)
        invalid = self.collect(counted.filter((col("n") > 1) | col(key).is_null()).sort(key).head(5))
        if invalid.filter(pl.col(key).is_null()).height:
            line = rows_to_fix("frame", name, ".is_null()")
            raise InvalidValue(f"Column {name!r} holds nulls; every row needs an id.", line)
        if invalid.height:
            raise DuplicateRows(
                f"Column {name!r} holds {invalid[key][0]!r} {invalid['n'][0]} times; ids must be unique.",
                Hint("If rows of one id belong together, write ", Argument("group", name)),
            )


def _key(name: str, alias: str, dtype: Any) -> Expr:
    """A column in a type that all engines compare, order and write as text in the same way.

    Enums and categoricals are text: their order is that of one table only.  Zero has one sign, and times with a zone
    are microseconds, since DuckDB writes them in the zone of the connection.

    Raises:
        WrongType: engines differ in such values.
    """
    value = col(alias)
    if dtype in (pl.String, *UNTYPED) or isinstance(dtype, pl.Categorical | pl.Enum):
        return value if dtype == pl.String else value.cast(pl.String)
    if dtype.is_float():
        # Polars leaves out an addition of zero.
        return when(value == 0).then(lit(0.0).cast(dtype)).otherwise(value)
    if isinstance(dtype, pl.Datetime) and dtype.time_zone is not None:
        return (value - lit(EPOCH.astimezone(zoneinfo.ZoneInfo(dtype.time_zone)))).dt.total_microseconds()
    plain = dtype.is_integer() and dtype not in (pl.Int128, pl.UInt128)
    if plain or isinstance(dtype, pl.Boolean | pl.Decimal | pl.Date | pl.Datetime | pl.Time):
        return value
    texts = f'pl.col("{name}").bin.encode("hex")' if dtype == pl.Binary else f'pl.col("{name}").cast(pl.String)'
    raise WrongType(
        f"Column {name!r} is {dtype}; ids, groups, classes and times are text, numbers of 64 bits, booleans or dates.",
        f"Make text of it: frame.with_columns({texts})"
        if not dtype.is_nested()
        else "Name another column, or make one of it.",
    )
