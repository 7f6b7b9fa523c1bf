"""The user's distances, instead of coordinates: a table of pairs of items, or a square array."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames import io
from ireval_frames.columns.schema import ITEM_ID, Column, Schema, number, resolve
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.opening import Source, open_source
from ireval_frames.errors import Argument, Code, Hint, InvalidValue, NotDefined, WrongType, rows_to_fix
from ireval_frames.expr import col
from ireval_frames.io.reading import TABLE
from ireval_frames.items.inputs import same_kinds

if TYPE_CHECKING:
    from ireval_frames.points.distances import Array

DISTANCES = Schema(
    "distances",
    (
        replace(ITEM_ID, required=True),
        Column("other_id", "id", ("other_item_id", "other", "item_id_2")),
        Column("distance", "number", ("dist",)),
    ),
    ("item_id", "other_id"),
)
# Distances of one pair that differ by less than this share of the largest distance are equal.
ROUNDING = 1e-12
# The bounds of the largest distance, whose squares are summed: this and its inverse.
MAX_DISTANCE = 1e100


class Distances:
    """The distances of items, read once with the first result.

    Args:
        source: a table of `DISTANCES`, or a square array.
        columns: the user's names of the columns of the table.
    """

    def __init__(self, source: Any, columns: Mapping[str, str]) -> None:
        self._source, self._columns = source, columns
        self._found: dict[str, str] = {}
        self._of: _Pairs | _Square | None = None

    def opened(self, engine: Engine, points: Frame, item: str) -> Frame:
        """The frame to be read: the pairs, or for an array the items in the order of the points.

        Raises:
            MissingColumn, WrongType, MismatchedTables: the table lacks columns, or has other types.
            NotDefined: the distances are an array, and the points have no order.
        """
        if _is_array(self._source):
            try:
                engine.number(points.lazy(), "_row")
            except NotDefined as error:
                raise NotDefined(
                    f"distances is an array in the order of the points, and rows of {engine.name} have no order.",
                    "Pass a table of them with the columns item_id, other_id and distance.",
                ) from error
            return points.lazy().select(item=col(item))
        frame = open_source(Source(self._source, "distances", TABLE), engine)
        present = list(frame.columns)
        # The ids may be named as in the points table.
        columns = {k: v for k, v in self._columns.items() if k != "item_id" or v in present}
        self._found = found = resolve(DISTANCES, present, columns)
        for column in (found["item_id"], found["other_id"]):
            _, frame = same_kinds({"points": points, "distances": frame}, {item: column})
        text = io.is_text_table(self._source) and not engine.names_table(self._source)
        distance = number("distances", found["distance"], frame.collect_schema()[found["distance"]], text=text)
        return frame.lazy().select(item=col(found["item_id"]), other=col(found["other_id"]), distance=distance)

    def read(self, engine: Engine, frame: Frame, item: str) -> None:
        """Read the frame once.

        Raises:
            InvalidValue: a distance is not allowed, or two of one pair differ.
        """
        if self._of is None:
            rows = engine.collect(frame)
            array = _is_array(self._source)
            self._of = _Square(self._source, rows, item) if array else _Pairs(rows, self._found, item)

    def among(self, items: pl.Series) -> Array:
        """The square array of the distances of some items.

        Raises:
            InvalidValue: a distance is missing.
        """
        if self._of is None:
            raise RuntimeError("Distances must be read first.")
        return self._of.among(items)


class _Square:
    """An array in the order of the items."""

    def __init__(self, source: Any, rows: pl.DataFrame, item: str) -> None:
        import numpy as np

        try:
            array = np.asarray(source, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise WrongType(
                f"distances is an array of {source.dtype}; it must hold numbers.", "Write distances=array.astype(float)"
            ) from error
        ids = rows["item"].unique(maintain_order=True)
        if array.shape != (len(ids), len(ids)):
            raise InvalidValue(
                f"distances is an array of shape {array.shape}, and the points table has {len(ids)} items.",
                f"Pass one of shape {(len(ids), len(ids))}, with a row and a column for each, in the order of the "
                f"rows; or a table of item_id, other_id and distance, which are found by {item!r} of the points.",
            )
        self._places = _Places(ids)
        rounding = ROUNDING * float(array.max(initial=0.0, where=np.isfinite(array)))
        if len(bad := np.argwhere(~np.isfinite(array) | (array < -rounding))):
            i, j = map(int, bad[0])
            line = f"distances=np.delete(np.delete(array, {j}, 0), {j}, 1)"
            raise _no_distance(ids[i], ids[j], array[i, j], f"Leave the row of {ids[j]} out of the points, and: {line}")
        _in_range(float(array.max(initial=0.0)), "distances=array / {}")
        if len(bad := np.argwhere(np.diag(array) > rounding)):
            at = int(bad[0, 0])
            raise _self_distance(ids[at], array[at, at], "distances=1 - array", "np.fill_diagonal(array, 0.0)")
        if len(bad := np.argwhere(np.abs(array - array.T) > rounding)):
            i, j = map(int, bad[0])
            raise _asymmetric(ids[i], ids[j], array[i, j], array[j, i], "distances=(array + array.T) / 2")
        self._array = array.clip(0.0)

    def among(self, items: pl.Series) -> Array:
        import numpy as np

        at = self._places.of(items)
        out: Array = self._array[np.ix_(at, at)]
        out = (out + out.T) / 2.0
        np.fill_diagonal(out, 0.0)
        return out


class _Pairs:
    """A table of pairs, each in one order or in both."""

    def __init__(self, rows: pl.DataFrame, columns: Mapping[str, str], item: str) -> None:
        import numpy as np

        self._item = item
        one, other, distance = (columns[c] for c in ("item_id", "other_id", "distance"))
        for column, name in (("item", one), ("other", other)):
            if rows[column].null_count():
                raise InvalidValue(
                    f"{rows[column].null_count():,} rows of the distances table have no item: column {name!r} is null.",
                    rows_to_fix("distances", name, ".is_null()"),
                )
        d = pl.col("distance")
        rounding = ROUNDING * float(rows.select(d.filter(d.is_finite()).max().fill_null(0.0)).item())
        if (bad := rows.filter(d.is_null() | ~d.is_finite() | (d < -rounding))).height:
            hint = rows_to_fix("distances", distance, ".is_null()", ".is_nan()", ".is_infinite()", " < 0")
            raise _no_distance(bad[0, 0], bad[0, 1], bad[0, 2], hint)
        _in_range(rounding / ROUNDING, f'distances.with_columns(pl.col("{distance}") / {{}})')
        if (bad := rows.filter((pl.col("item") == pl.col("other")) & (d > rounding))).height:
            converted = Code(
                f'distances.with_columns((1 - pl.col("{distance}")).alias("{distance}"))', f"1 - {distance}"
            )
            without = Code(
                f'distances.remove(pl.col("{one}") == pl.col("{other}"))', f"no rows in which {one} is {other}"
            )
            raise _self_distance(bad[0, 0], bad[0, 2], converted, without)
        self._places = _Places(pl.concat([rows["item"], rows["other"]]).unique(maintain_order=True))
        low, high = self._places.of(rows["item"]), self._places.of(rows["other"])
        pairs = (
            pl.DataFrame(
                {"low": np.minimum(low, high), "high": np.maximum(low, high), "distance": rows["distance"].clip(0.0)}
            )
            .filter(pl.col("low") != pl.col("high"))
            .group_by("low", "high", maintain_order=True)
            .agg(d.min(), largest=d.max())
        )
        if (bad := pairs.filter(pl.col("largest") - d > rounding)).height:
            i, j, smallest, largest = bad.sort("low", "high").row(0)
            names = self._places.ids
            ends = [
                f'pl.{function}_horizontal("{one}", "{other}").alias("{c}")'
                for function, c in (("min", one), ("max", other))
            ]
            line = f'distances.group_by({", ".join(ends)}).agg(pl.mean("{distance}"))'
            raise _asymmetric(names[i], names[j], smallest, largest, Code(line, f"the mean of {distance} of each pair"))
        value = (d + pl.col("largest")) / 2.0
        directions = [pairs.select(first=a, second=b, value=value) for a, b in (("low", "high"), ("high", "low"))]
        both = pl.concat(directions).sort("first")
        self._second, self._value = both["second"].to_numpy(), both["value"].to_numpy()
        self._starts = np.searchsorted(both["first"].to_numpy(), np.arange(len(self._places.ids) + 1))

    def among(self, items: pl.Series) -> Array:
        import numpy as np

        at = self._places.of(items)
        out = np.full((len(at), len(at)), np.nan)
        np.fill_diagonal(out, 0.0)
        column_of = np.full(len(self._places.ids), -1)
        column_of[at[at >= 0]] = np.nonzero(at >= 0)[0]
        for row in np.nonzero(at >= 0)[0]:
            part = slice(self._starts[at[row]], self._starts[at[row] + 1])
            column = column_of[self._second[part]]
            out[row, column[column >= 0]] = self._value[part][column >= 0]
        if len(missing := np.argwhere(np.isnan(out))):
            one, other = (items[int(i)] for i in missing[0])
            literal = f'"{other}"' if isinstance(other, str) else other
            raise InvalidValue(
                f"The distances table has no distance of {one} and {other}.",
                Hint(
                    "Every two points of a group need a row, in either order.  Add it, or leave the point out: ",
                    Code(f'points.remove(pl.col("{self._item}") == {literal})', f"that with {self._item} {other}"),
                ),
            )
        return out


class _Places:
    """The numbers of items, from 0; integers of all sizes are equal."""

    def __init__(self, ids: pl.Series) -> None:
        self.ids = ids
        self._known = pl.DataFrame({"id": _text(ids)}).with_row_index("at")

    def of(self, items: pl.Series) -> Any:
        """The number of each item, −1 if it is unknown."""
        numbers = pl.DataFrame({"id": _text(items)}).join(self._known, on="id", how="left", maintain_order="left")
        return numbers["at"].cast(pl.Int64).fill_null(-1).to_numpy()


def _text(ids: pl.Series) -> pl.Series:
    return (ids.cast(pl.Float64) if ids.dtype.is_float() else ids).cast(pl.String)


def _is_array(source: Any) -> bool:
    """Whether it is a NumPy array, without importing NumPy."""
    return type(source).__module__.partition(".")[0] == "numpy"


def _no_distance(one: Any, other: Any, value: Any, hint: str) -> InvalidValue:
    text = "null" if value is None else f"{value:g}"
    return InvalidValue(f"The distance of {one} and {other} is {text}; distances are finite, and 0 or more.", hint)


def _in_range(largest: float, line: str) -> float:
    if largest == 0.0 or 1.0 / MAX_DISTANCE <= largest <= MAX_DISTANCE:
        return largest
    raise InvalidValue(
        f"The largest distance is {largest:g}; the squares of such distances exceed the range of floats.",
        f"Scale them: {line.format(f'1e{math.floor(math.log10(largest))}')}",
    )


def _self_distance(item: Any, value: float, line: str | Code, rounding: str | Code) -> InvalidValue:
    return InvalidValue(
        f"The distance of {item} to itself is {value:g}, and not 0.",
        Hint("Convert similarities from 0 to 1: ", line, "; if it is rounding: ", rounding),
    )


def _asymmetric(one: Any, other: Any, value: float, back: float, line: str | Code) -> InvalidValue:
    return InvalidValue(
        f"The distance of {one} and {other} is both {value:g} and {back:g}.",
        Hint("Take the mean of the two: ", line),
    )


def no_coordinates(measure: str) -> NotDefined:
    """The error of a measure that needs coordinates where there are none."""
    return NotDefined(
        f"{measure} needs coordinates, and these points have distances only.",
        Hint(
            "Measures of distances are Silhouette, SilhouetteError, IntraDistance, InterDistance, McClainRao, "
            "PointBiserial, CIndex, Gamma, GPlus, Tau, Dunn with separation and diameter of points, NumPoints and "
            "NumClusters; for others name features instead: ",
            Argument("features", ["x", "y"]),
        ),
    )
