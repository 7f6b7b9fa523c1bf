"""Results of other analyses as rows of one table: of experiments, interleaving tests, click models and so on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import polars as pl

from ireval_frames.errors import InvalidParameter, NotDefined, UnknownName, WrongType, nearest
from ireval_frames.store.evaluations import groups_json
from ireval_frames.store.folder.files import Listing
from ireval_frames.store.tables import TABLES

# The methods that give a result's table, of which the first is taken; and those of further tables.
PARTS = ("table", "parameters", "consensus", "summary")
FURTHER = ("effects", "raters")
# The kind and part of a plain table.
FRAME = "table"
# The columns of results that are columns of `findings` under other names.
NAMES = {
    "measure": ("metric", "parameter"),
    "run_id": ("run", "variant", "system"),
    "n": ("n_units", "n_replica"),
    "value": ("arp_replica",),
    "difference": ("delta",),
    "ci_low": ("low",),
    "ci_high": ("high",),
}
_NOT_JSON = (pl.Binary, pl.Object)


def finding_rows(result: Any, name: str) -> pl.DataFrame | None:
    """A row per row of the tables of a result; None if it has none.

    Args:
        result: a result, or a table.
        name: the name under which it is stored.

    Raises:
        InvalidParameter: a table has no name, or no rows.
        WrongType: a column has a type that JSON lacks.
    """
    kind = type(result).__name__
    if isinstance(result, pl.LazyFrame | pl.DataFrame):
        kind = FRAME
        if not name:
            raise InvalidParameter(
                "A table that is kept needs a name.",
                'Write store.add(frame, name="srm"); for values per unit store.import_values(frame).',
            )
        parts = {FRAME: result.lazy().collect()}
    else:
        parts = dict(_parts(result))
    if not parts:
        return None
    by = _by(result)
    rows = pl.concat([_rows(part, frame, by) for part, frame in parts.items()])
    if not rows.height:
        raise InvalidParameter("The table to store has no rows.", "Pass a result that has some.")
    return rows.with_columns(kind=pl.lit(kind), name=pl.lit(name), place=pl.int_range(pl.len()))


def _parts(result: Any) -> Iterator[tuple[str, pl.DataFrame]]:
    """The tables of a result by the names of its methods."""
    first = next((method for method in PARTS if callable(getattr(result, method, None))), None)
    if first is None or not isinstance(frame := getattr(result, first)(), pl.DataFrame):
        return
    yield first, frame
    for name in FURTHER:
        # A single system has no effects.
        with suppress(NotDefined):
            if callable(method := getattr(result, name, None)):
                yield name, method()


def _by(result: Any) -> list[str]:
    """The columns of groups, if the result names them."""
    for attribute in ("by", "groups", "keys"):
        names = getattr(result, attribute, None)
        if isinstance(names, tuple | list) and all(isinstance(n, str) for n in names):
            return list(names)
    return []


def _rows(part: str, frame: pl.DataFrame, by: list[str]) -> pl.DataFrame:
    for name, dtype in frame.schema.items():
        if dtype in _NOT_JSON:
            raise WrongType(
                f"Column {name!r} of the table is {dtype}, which cannot be stored.",
                f"Leave it out: frame.drop({name!r})",
            )
    columns = {}
    for column in _COLUMNS:
        dtype = TABLES["findings"].schema[column]
        source = next((n for n in (column, *NAMES.get(column, ())) if n in frame.columns), None)
        value = pl.lit(None, dtype=dtype) if source is None else pl.col(source).cast(dtype, strict=False)
        columns[column] = value.fill_nan(None) if dtype == pl.Float64 else value
    row = pl.struct(frame.columns).struct.json_encode() if frame.columns else pl.lit("{}")
    groups = groups_json({n: n for n in by if n in frame.columns})
    return frame.select(pl.lit(part).alias("part"), groups, **columns, row=row)


_COLUMNS = ("measure", "run_id", "baseline", "n", "value", "difference", "ci_low", "ci_high", "p_value", "status")


def findings(
    listing: Listing, name: str | None, kind: str | None, measure: str | None, collection: str | None
) -> pl.LazyFrame:
    """The rows of these names, kinds, measures and collections, the oldest first; None is all.

    Raises:
        UnknownName: there are findings, but none of that name, kind, measure or collection.
    """
    rows = listing.rows("findings")
    for column, value in (("name", name), ("kind", kind), ("measure", measure), ("collection", collection)):
        if value is not None:
            known = rows.select(pl.col(column).unique().drop_nulls()).collect().to_series().to_list()
            if known and value not in known:
                raise UnknownName(f"The store has no findings of the {column} {value!r}.", nearest(value, known))
            rows = rows.filter(pl.col(column) == value)
    return rows.sort("made_at", "finding_id", "place")
