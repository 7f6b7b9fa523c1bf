"""Fitting a click model to a log: counted on its engine, estimated here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.clicks.models.counts import compaction, tallying
from ireval_frames.clicks.models.counts.counted import Cells, cells_of
from ireval_frames.clicks.models.counts.keys import Keys, found
from ireval_frames.clicks.models.counts.pages import Pages, pages_of
from ireval_frames.clicks.models.counts.tallied import Tallies, tallied, tallies_of
from ireval_frames.clicks.models.declared import PAIR, Array, ClickModel, Estimates, Values
from ireval_frames.clicks.models.options import Options
from ireval_frames.clicks.models.rates import DRCTR, with_places
from ireval_frames.clicks.models.seeing import at_length
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import InvalidValue


def counts(
    model: ClickModel[Any],
    engine: Engine,
    log: Frame,
    by: Sequence[str],
    options: Options,
    again: Callable[[], Pages],
) -> Cells | Pages | Tallies:
    """The counts that a model is fitted to.

    Args:
        model: the model.
        engine: where the log is.
        log: a row per shown result.
        by: its columns of groups.
        options: which pages count.
        again: counts whole pages, of a log that is read once more.

    Raises:
        InvalidValue: nothing is left to count, or the pages are not whole.
    """
    until = model.looks_until
    if until is not None:
        asked = {parameter.keys for parameter in model.parameters}
        counted = tallying.counted(engine, log, by, options, until, positions=("position",) in asked)
        # Where pages are long, or anything is wrong with them, looking at whole ones tells what.
        if counted is None:
            return tallied(whole_pages(engine, log, by, options), until)
        _something(counted.rows, options)
        return tallies_of(counted, by, again)
    if model.needs_pages:
        return whole_pages(engine, log, by, options)
    return cells_of(_there(compaction.cells(engine, log, by, model.counts_by, options), "n", options), by)


def whole_pages(engine: Engine, log: Frame, by: Sequence[str], options: Options) -> Pages:
    """The distinct pages of a log.

    Raises:
        InvalidValue: there are none, or they are not whole.
    """
    rows, longest = compaction.pages(engine, log, by, options)
    return pages_of(_there(rows, "weight", options), longest, by)[1]


def _there(rows: pl.DataFrame, weight: str, options: Options) -> pl.DataFrame:
    """The rows that weigh anything.

    Raises:
        InvalidValue: there are none.
    """
    rows = rows.filter(pl.col(weight) > 0)
    _something(rows, options)
    return rows


def _something(rows: pl.DataFrame, options: Options) -> None:
    """Refuse a log of which nothing is left.

    Raises:
        InvalidValue: there are no rows.
    """
    if rows.is_empty():
        raise InvalidValue(
            "The log has no results to fit a click model to"
            + ("." if options.every_page else f" (no_clicks={options.no_clicks!r}, shortest={options.shortest})."),
            "A log needs at least one result page with a result.",
        )


def keys_after(model: ClickModel[Any], data: Cells | Pages | Tallies) -> Keys:
    """The keys of a model's parameters."""
    return with_places(data) if isinstance(data, Cells) and DRCTR.name == model.name else data.keys


def started(model: ClickModel[Any], former: Estimates, of: Keys, keys: Keys) -> Values:
    """The values of a former fit at the keys of a new one; NaN for those that it has not."""
    out: dict[str, Array] = {}
    group = found(keys.groups, of.groups, of.by) if of.by else np.zeros(1, dtype=np.int64)
    for parameter in model.parameters:
        value = former[parameter.name].value
        at = of.rows_codes(keys.pairs) if parameter.keys == PAIR else group
        rows = np.concatenate([value, np.full((1, *value.shape[1:]), np.nan)])[np.where(at < 0, len(value), at)]
        positions = "position" in parameter.keys
        out[parameter.name] = at_length(rows, keys.longest, np.nan) if positions else rows
    return out
