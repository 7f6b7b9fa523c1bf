"""Results of all other analyses as rows of one table: of experiments, interleaving tests, click models and so on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import polars as pl

from ireval_frames.errors import InvalidParameter, NotDefined, WrongType
from ireval_frames.store.evaluations import encoded
from ireval_frames.store.folder.files import Listing
from ireval_frames.store.tables import TABLES

# What results call their table, the first that they have; and what they have beside it.
PARTS = ("table", "parameters", "consensus", "summary")
BESIDE = ("effects", "raters")
# What a table that was handed in as it is, is called.
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
_UNREADABLE = (pl.Binary, pl.Object)


def of_finding(found: Any, name: str) -> pl.DataFrame | None:
    """A row per row of its tables; None where it is no result.

    Args:
        found: a result, or a table.
        name: what the caller calls it.

    Raises:
        InvalidParameter: a table has no name, or no rows.
        WrongType: a column holds what JSON cannot say.
    """
    kind = type(found).__name__
    if isinstance(found, pl.LazyFrame | pl.DataFrame):
        kind = FRAME
        if not name:
            raise InvalidParameter(
                "A table that is kept needs a name.",
                'Write store.add(frame, name="srm"); values per unit are kept by store.import_values(frame).',
            )
        parts = {FRAME: found.lazy().collect()}
    else:
        parts = dict(_parts(found))
    if not parts:
        return None
    by = _by(found)
    rows = pl.concat([_rows(part, frame, by) for part, frame in parts.items()])
    if not rows.height:
        raise InvalidParameter("The table that is to be kept has no rows.", "Hand in a result that has some.")
    said = {"kind": pl.lit(kind), "name": pl.lit(name), "place": pl.int_range(pl.len())}
    return rows.with_columns(**said)


def _parts(found: Any) -> Iterator[tuple[str, pl.DataFrame]]:
    """The tables of a result by the names of its methods."""
    first = next((way for way in PARTS if callable(getattr(found, way, None))), None)
    if first is None or not isinstance(frame := getattr(found, first)(), pl.DataFrame):
        return
    yield first, frame
    for way in BESIDE:
        # One system alone has no effects.
        with suppress(NotDefined):
            if callable(make := getattr(found, way, None)):
                yield way, make()


def _by(found: Any) -> list[str]:
    """The columns of groups, where the result says which these are."""
    for attribute in ("by", "groups", "keys"):
        names = getattr(found, attribute, None)
        if isinstance(names, tuple | list) and all(isinstance(n, str) for n in names):
            return list(names)
    return []


def _rows(part: str, frame: pl.DataFrame, by: list[str]) -> pl.DataFrame:
    for name, dtype in frame.schema.items():
        if dtype in _UNREADABLE:
            raise WrongType(
                f"Column {name!r} of what is to be kept is {dtype}, which is not kept.",
                f"Leave it out: frame.drop({name!r})",
            )
    columns = {}
    for column, dtype in TABLES["findings"].schema.items():
        there = [n for n in (column, *NAMES.get(column, ())) if n in frame.columns]
        if column in _OWN and there:
            value = pl.col(there[0]).cast(dtype, strict=False)
            columns[column] = value.fill_nan(None) if dtype == pl.Float64 else value
        elif column in _OWN:
            columns[column] = pl.lit(None, dtype=dtype)
    whole = pl.struct(frame.columns).struct.json_encode() if frame.columns else pl.lit("{}")
    groups = encoded({n: n for n in by if n in frame.columns})
    return frame.select(pl.lit(part).alias("part"), groups, **columns, row=whole)


_OWN = ("measure", "run_id", "baseline", "n", "value", "difference", "ci_low", "ci_high", "p_value", "status")


def findings(
    listing: Listing, name: str | None, kind: str | None, measure: str | None, collection: str | None
) -> pl.LazyFrame:
    """The rows of what was found under these names, the oldest first."""
    rows = listing.rows("findings")
    for column, wanted in (("name", name), ("kind", kind), ("measure", measure), ("collection", collection)):
        if wanted is not None:
            rows = rows.filter(pl.col(column) == wanted)
    return rows.sort("made_at", "finding_id", "place")
