"""Items that are resampled one by one, or with whatever they belong to: users, documents.

The subject's engine makes one GROUP BY of them: a row per what the measures can tell apart (label, prediction …) and
per unit.  Replicates are the same rows with other weights, of which one plan gives the measures' values.
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
from ireval_frames.evaluation.summaries import summarised
from ireval_frames.expr import lit
from ireval_frames.items.request import ItemRequest
from ireval_frames.resampling.draws import Counts, Members
from ireval_frames.resampling.hashing import Whole
from ireval_frames.resampling.population import (
    REPLICATE,
    Population,
    chosen,
    numbered,
    ranked,
    refuse_null,
    sorted_rows,
    strata_of,
)

# Whether a row is a copy of no other one, and then its number among those that look like it.
OWN = "own"


class Items(Population):
    """Items of a subject.

    Args:
        request: what is resampled, with the columns of clusters and strata among its groups.
        measures: what is asked.
        unit: the user's columns that tell apart what is resampled; "item_id" is the id of an item.  None: items, and
            all that look alike together.
        strata: the user's columns of strata.
        extra: those of both that group no results.
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
        alias = {theirs: ours for ours, theirs in inputs.names.items()}
        self._left_out = [alias[c] for c in extra]
        whole = [getattr(inputs, name) is not None for name in inputs.long]
        unit_columns = [alias.get(c, c) for c in unit or ()]
        strata_columns = [alias[c] for c in strata]
        kept = [k for k in inputs.keys if any(whole) or k not in self._left_out]
        read = {column for measure in request.measures for column in measure.definition.reads}
        columns = [
            c
            for c in inputs.items.columns
            if c not in (*inputs.keys, "item_id") and (c not in inputs.optional or c in read)
        ]
        columns += ["item_id"] if any(whole) else []
        wanted = list(dict.fromkeys([*kept, *columns, *strata_columns, *unit_columns]))
        count = [Aggregate("ireval_count", "count", lit(1.0))]
        members = inputs.items.select(*wanted)
        apart = request.not_duplicates(request.of(()).tables(inputs))
        if apart is not None:
            members, wanted = members.with_columns(**{OWN: apart}), [*wanted, OWN]
        with engine.errors():
            # Items of ids of their own are no groups of several.
            found = engine.collect(members if single else engine.group(members, wanted, count))
            self._inputs = inputs.on_engine(PolarsEngine())
        n = np.ones(found.height, np.int64) if single else found["ireval_count"].cast(pl.Int64).to_numpy()
        refuse_null(found, {c: inputs.names.get(c, inputs.user_columns.get(c, c)) for c in unit_columns}, n)
        told = [*kept, *columns]
        if apart is not None:
            (found, n), told = _one_each(found, n, told), [*told, OWN]
        if inputs.from_file:
            found = found.with_columns(_as_numbers(found[c]) for c in unit_columns if c not in told)
        units, of_unit = (pl.DataFrame(), None) if unit is None else ranked(found, unit_columns)
        self.rows, of_row = ranked(found, told)
        stratum = strata_of(found, strata_columns, of_unit, strata)
        del found
        # Draws go from one row to the next, or from one unit, whatever the order in which the engine gave them.
        if of_unit is None:
            order = np.argsort(of_row, kind="stable") if stratum is None else np.lexsort((stratum, of_row))
            of_row, n, stratum = of_row[order], n[order], None if stratum is None else stratum[order]
        else:
            order = np.argsort(of_unit, kind="stable")
            of_row, of_unit, n = of_row[order], of_unit[order], n[order]
        self.members = Members(self.rows.height, of_row, of_unit, n, stratum)
        names = {**inputs.by_names, **inputs.unit_names}
        shown = [c for c in told if c != OWN]
        self.units = chosen(units, names, unit_columns) if unit is not None else chosen(self.rows, names, shown)
        # Items that are drawn one by one, each of which counts once.
        self.plain = "weight" not in columns and stratum is None and (single or of_unit is None)
        self.clustered = of_unit is not None and bool(n.sum() > len(units))
        self._groups = [k for k in inputs.keys if k not in self._left_out and k not in inputs.unit]
        groups = sorted_rows(self.rows.select(self._groups)) if self._groups else pl.DataFrame()
        self._group_ids = groups
        self.groups = chosen(groups, names, self._groups)
        self.group_of_row = numbered(self.rows, self._groups, groups)

    def bare(self) -> Items:
        """The same items, of which a measure has no value where it is undefined, whatever the policy says then."""
        out = copy.copy(self)
        out.request = replace(self.request, policy=self.request.policy.with_fields({"undefined": None}))
        return out

    def evaluated(self, replicate: Whole, row: Whole, count: Counts) -> pl.DataFrame:
        """The values of some replicates: one plan, of which the replicate is one more group."""
        weight = pl.Series("ireval_copies", count)
        frame = self.rows[row].with_columns(pl.Series(REPLICATE, replicate, dtype=pl.Int64))
        given = "weight" in frame.columns
        frame = frame.with_columns(weight=pl.col("weight") * weight if given else weight).drop(OWN, strict=False)
        inputs = self._inputs
        items = inputs.engine.from_polars(frame)
        tables = self.request.tables(inputs.reweighted(items, REPLICATE, self._left_out))
        planned = self.request.planned(tables)
        values = list(planned.values().values())
        with inputs.engine.errors():
            summary = summarised(planned.plan, planned.unit, values, self.measures, planned.groups)
            found: pl.DataFrame = inputs.engine.collect(summary.frame())
        group = numbered(found, self._groups, self._group_ids)
        return found.with_columns(pl.Series("group", np.asarray(group)))


def _one_each(found: pl.DataFrame, n: Whole, told: Sequence[str]) -> tuple[pl.DataFrame, Whole]:
    """A row and a number for each of the items that are no copies of each other."""
    alone = found[OWN].fill_null(value=False).to_numpy()
    times = np.where(alone, n, 1)
    rows = found[np.repeat(np.arange(found.height), times)]
    number = pl.int_range(pl.len()).over([*told, OWN])
    return rows.with_columns(pl.when(OWN).then(number).alias(OWN)), np.repeat(np.where(alone, 1, n), times)


def _as_numbers(ids: pl.Series) -> pl.Series:
    """Ids of a text file as the whole numbers that they are in other files, if all are, so that their order is one."""
    if ids.dtype != pl.String:
        return ids
    numbers = ids.cast(pl.Int64, strict=False)
    return numbers if numbers.null_count() == ids.null_count() and numbers.n_unique() == ids.n_unique() else ids
