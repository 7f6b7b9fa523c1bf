"""Fitting a click model to a log: counted on its engine, estimated here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.clicks.models import compaction
from ireval_frames.clicks.models.counted import Cells, cells_of
from ireval_frames.clicks.models.declared import PAIR, Array, ClickModel, Estimates, Values
from ireval_frames.clicks.models.drctr import DRCTR
from ireval_frames.clicks.models.keys import Keys, found
from ireval_frames.clicks.models.options import Options
from ireval_frames.clicks.models.pages import Pages, pages_of
from ireval_frames.clicks.models.rates import with_places
from ireval_frames.clicks.models.seeing import at_length
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import InvalidValue


def compacted(model: ClickModel[Any], engine: Engine, log: Frame, by: Sequence[str], options: Options) -> Cells | Pages:
    """The counts that a model is fitted to.

    Raises:
        InvalidValue: nothing is left to count.
    """
    if model.needs_pages:
        rows, longest = compaction.pages(engine, log, by, options)
    else:
        rows, longest = compaction.cells(engine, log, by, model.counts_by, options), 0
    weight = "weight" if model.needs_pages else "n"
    rows = rows.filter(pl.col(weight) > 0)
    if rows.is_empty():
        raise InvalidValue(
            "The log has no results to fit a click model to"
            + ("." if options.every_page else f" (no_clicks={options.no_clicks!r}, shortest={options.shortest})."),
            "A log needs at least one result page with a result.",
        )
    return pages_of(rows, longest, by)[1] if model.needs_pages else cells_of(rows, by)


def keys_after(model: ClickModel[Any], data: Cells | Pages) -> Keys:
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
