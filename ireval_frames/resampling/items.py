"""Items that are resampled one by one, or in clusters: users, documents.

The subject's engine makes one GROUP BY of them: a row per combination of what the measures read (label, prediction …)
and unit.  Replicates are the same rows with other weights, of which one plan gives the measures' values.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.expr import lit
from ireval_frames.items.request import ItemRequest
from ireval_frames.resampling.draws import Counts, Members
from ireval_frames.resampling.hashing import Whole
from ireval_frames.resampling.population import (
    REPLICATE,
    Population,
    named_columns,
    numbered,
    ranked,
    refuse_null,
    sorted_rows,
    strata_of,
)

# Whether a row is no copy of another one, then its number among equal rows.
DISTINCT = "distinct"


class Items(Population):
    """Items of a subject.

    Args:
        request: of the items, with the columns of clusters and strata among its groups.
        unit: the user's columns that identify the units; "item_id" is the id of an item.  None: items, of which
            equal ones are drawn together.
        strata: the user's columns of strata.
        extra: columns of units and strata that do not group results.
        single: every unit is an item.
    """

    def __init__(
        self,
        request: ItemRequest[Any, Any],
        unit: Sequence[str] | None,
        strata: Sequence[str],
        extra: Sequence[str],
        *,
        single: bool = False,
    ) -> None:
        self.request, self.measures = request, request.measures
        engine = request.engine
        inputs = request.inputs(engine)
        alias = {user_name: name for name, user_name in inputs.names.items()}
        self._ungrouped = [alias[c] for c in extra]
        long = [getattr(inputs, name) is not None for name in inputs.long]
        unit_columns = [alias.get(c, c) for c in unit or ()]
        strata_columns = [alias[c] for c in strata]
        keys = [k for k in inputs.keys if any(long) or k not in self._ungrouped]
        read = {column for measure in request.measures for column in measure.definition.reads}
        columns = [
            c
            for c in inputs.items.columns
            if c not in (*inputs.keys, "item_id") and (c not in inputs.optional or c in read)
        ]
        columns += ["item_id"] if any(long) else []
        identity = list(dict.fromkeys([*keys, *columns, *strata_columns, *unit_columns]))
        count = [Aggregate("ireval_count", "count", lit(1.0))]
        members = inputs.items.select(*identity)
        distinct = request.not_duplicates(request.of(()).tables(inputs))
        if distinct is not None:
            members, identity = members.with_columns(**{DISTINCT: distinct}), [*identity, DISTINCT]
        with engine.errors():
            # Items with distinct ids need no GROUP BY.
            frame = engine.collect(members if single else engine.group(members, identity, count))
            self._inputs = inputs.on_engine(PolarsEngine())
        n = np.ones(frame.height, np.int64) if single else frame["ireval_count"].cast(pl.Int64).to_numpy()
        refuse_null(frame, {c: inputs.names.get(c, inputs.user_columns.get(c, c)) for c in unit_columns}, n)
        visible = [*keys, *columns]
        if distinct is not None:
            (frame, n), visible = _one_each(frame, n, visible), [*visible, DISTINCT]
        if inputs.from_file:
            frame = frame.with_columns(_as_numbers(frame[c]) for c in unit_columns if c not in visible)
        units, of_unit = (pl.DataFrame(), None) if unit is None else ranked(frame, unit_columns)
        self.rows, of_row = ranked(frame, visible)
        stratum = strata_of(frame, strata_columns, of_unit, strata)
        del frame
        # Draws follow the order of rows, or of units, whatever the order of the engine's rows.
        if of_unit is None:
            order = np.argsort(of_row, kind="stable") if stratum is None else np.lexsort((stratum, of_row))
            of_row, n, stratum = of_row[order], n[order], None if stratum is None else stratum[order]
        else:
            order = np.argsort(of_unit, kind="stable")
            of_row, of_unit, n = of_row[order], of_unit[order], n[order]
        self.members = Members(self.rows.height, of_row, of_unit, n, stratum)
        names = {**inputs.by_names, **inputs.unit_names}
        columns_shown = [c for c in visible if c != DISTINCT]
        self.units = (
            named_columns(units, names, unit_columns)
            if unit is not None
            else named_columns(self.rows, names, columns_shown)
        )
        # Whether items are drawn one by one, without weights.
        self.plain = "weight" not in columns and stratum is None and (single or of_unit is None)
        self.clustered = of_unit is not None and bool(n.sum() > len(units))
        self._groups = [k for k in inputs.keys if k not in self._ungrouped and k not in inputs.unit]
        groups = sorted_rows(self.rows.select(self._groups)) if self._groups else pl.DataFrame()
        self._group_ids = groups
        self.groups = named_columns(groups, names, self._groups)
        self.group_of_row = numbered(self.rows, self._groups, groups)

    def bare(self) -> Items:
        """The same items, with undefined values left undefined, whatever the policy."""
        if not hasattr(self.request.policy, "undefined"):
            return self
        out = copy.copy(self)
        out.request = replace(self.request, policy=self.request.policy.with_fields({"undefined": None}))
        return out

    def evaluate(self, replicate: Whole, row: Whole, count: Counts) -> pl.DataFrame:
        """The values of some replicates: one plan, grouped by the replicate too."""
        weight = pl.Series("ireval_copies", count)
        frame = self.rows[row].with_columns(pl.Series(REPLICATE, replicate, dtype=pl.Int64))
        has_weight = "weight" in frame.columns
        frame = frame.with_columns(weight=pl.col("weight") * weight if has_weight else weight).drop(
            DISTINCT, strict=False
        )
        inputs = self._inputs
        items = inputs.engine.from_polars(frame)
        tables = self.request.tables(inputs.reweighted(items, REPLICATE, self._ungrouped))
        planned = self.request.planned(tables)
        with inputs.engine.errors():
            out: pl.DataFrame = inputs.engine.collect(planned.summarised(planned.groups).frame())
        group = numbered(out, self._groups, self._group_ids)
        return out.with_columns(pl.Series("group", np.asarray(group)))


def _one_each(frame: pl.DataFrame, n: Whole, columns: Sequence[str]) -> tuple[pl.DataFrame, Whole]:
    """A row and a number for each of the items that are no copies."""
    distinct = frame[DISTINCT].fill_null(value=False).to_numpy()
    times = np.where(distinct, n, 1)
    rows = frame[np.repeat(np.arange(frame.height), times)]
    number = pl.int_range(pl.len()).over([*columns, DISTINCT])
    return rows.with_columns(pl.when(DISTINCT).then(number).alias(DISTINCT)), np.repeat(np.where(distinct, 1, n), times)


def _as_numbers(ids: pl.Series) -> pl.Series:
    """Ids of a text file as integers if all are, so that their order does not depend on the format."""
    if ids.dtype != pl.String:
        return ids
    numbers = ids.cast(pl.Int64, strict=False)
    return numbers if numbers.null_count() == ids.null_count() and numbers.n_unique() == ids.n_unique() else ids
