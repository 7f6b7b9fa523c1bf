"""Values in rows of a unit or a group, as tables that users see: a column per measure, or a row per measure.

Each shape is written once for queries and once for collected rows, from the same columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import polars as pl

from ireval_frames.engines.frame import concat
from ireval_frames.expr import col, lit
from ireval_frames.results import TableQuery

PLACE = "ireval_place"


class Shape(Protocol):
    """How a table is shown."""

    def of_query(self, query: TableQuery) -> TableQuery:
        """The query of the table in this shape."""

    def of_rows(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Its collected rows in this shape."""


@dataclass(frozen=True)
class Wide:
    """A row for each row.

    Attributes:
        keys, values: the names of the columns → those of the table.
    """

    keys: Mapping[str, str]
    values: Mapping[str, str]

    def of_query(self, query: TableQuery) -> TableQuery:
        """The query with these columns."""
        columns = {name: col(c) for name, c in {**self.keys, **self.values}.items()}
        return replace(query, frame=query.frame.select(**columns), order=tuple(self.keys), columns=tuple(columns))

    def of_rows(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows with these columns."""
        return rows.select(pl.col(c).alias(name) for name, c in {**self.keys, **self.values}.items())


@dataclass(frozen=True)
class Long:
    """A row for each row and measure, the measures of a row one after another.

    Attributes:
        keys: the names of the key columns → those of the table.
        labels: columns that are not in the table, with a value for each measure: its name.
        values: further columns → those of the table, for each measure.
    """

    keys: Mapping[str, str]
    labels: Mapping[str, Sequence[Any]]
    values: Mapping[str, Sequence[str]]

    def of_query(self, query: TableQuery) -> TableQuery:
        """The query, the measures stacked."""
        keys = {name: col(c) for name, c in self.keys.items()}
        parts = [
            query.frame.select(
                **keys,
                **{name: lit(value) for name, value in zip(self.labels, labels, strict=True)},
                **{name: col(c) for name, c in zip(self.values, columns, strict=True)},
                **{PLACE: lit(place)},
            )
            for place, (labels, columns) in enumerate(
                zip(zip(*self.labels.values(), strict=True), zip(*self.values.values(), strict=True), strict=True)
            )
        ]
        columns = (*keys, *self.labels, *self.values)
        return replace(query, frame=concat(parts), order=(*keys, PLACE), columns=columns)

    def of_rows(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows, the measures between them."""
        n, height = len(next(iter(self.values.values()))), rows.height
        if height == 1 and not self.keys:
            # One row; putting it together from columns takes longer than from its values.
            (one,) = rows.iter_rows(named=True)
            types = {name: rows.schema[columns[0]] for name, columns in self.values.items()}
            values = {name: [one[c] for c in columns] for name, columns in self.values.items()}
            return pl.DataFrame({**self.labels, **values}, schema_overrides=types)
        place = pl.int_range(n * height, eager=True)
        row, measure = place // n, place % n
        made = {name: rows[c].gather(row) for name, c in self.keys.items()}
        made |= {name: pl.Series(labels).gather(measure) for name, labels in self.labels.items()}
        for name, columns in self.values.items():
            made[name] = (
                rows[columns[0]].gather(row)
                if len({*columns}) == 1
                else pl.concat([rows[c] for c in columns]).gather(measure * height + row)
            )
        return pl.DataFrame(made)
