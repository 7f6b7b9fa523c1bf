"""Fits of click models: to a log, which its engine counts; from a table of parameters; from a file."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ireval_frames.clicks.models import saving, tables
from ireval_frames.clicks.models.counts import compaction, tally_queries
from ireval_frames.clicks.models.counts.cells import Cells, cells_of
from ireval_frames.clicks.models.counts.keys import Keys, row_index
from ireval_frames.clicks.models.counts.pages import Pages, pages_of
from ireval_frames.clicks.models.counts.tallies import Tallies, tallied, tallies_of
from ireval_frames.clicks.models.declared import PAIR, Array, ClickModel, Codes, Estimates, Trace, Values, named
from ireval_frames.clicks.models.log import rows_of
from ireval_frames.clicks.models.model import FittedModel
from ireval_frames.clicks.models.options import Options, options_of
from ireval_frames.clicks.models.page_blocks import at_length
from ireval_frames.clicks.models.rates import DRCTR, with_places
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import Argument, ConvergenceWarning, Hint, InvalidParameter, InvalidValue, MissingColumn, warn
from ireval_frames.parameters import CONFIDENCE

if TYPE_CHECKING:
    from ireval_frames.clicks.modelled import Modelled
    from ireval_frames.clicks.models.graded_log import GradedLog


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
        again: counts complete pages, by reading the log once more.

    Raises:
        InvalidValue: nothing is left to count, or positions of pages are not 1, 2 … n.
    """
    until = model.looks_until
    if until is not None:
        parameter_keys = {parameter.keys for parameter in model.parameters}
        counted = tally_queries.counted(engine, log, by, options, until, positions=("position",) in parameter_keys)
        # Where pages are long or broken, complete pages are read, which raises the error.
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
        InvalidValue: there are none, or their positions are not 1, 2 … n.
    """
    rows, longest = compaction.pages(engine, log, by, options)
    return pages_of(_there(rows, "weight", options), longest, by)[1]


def _there(rows: pl.DataFrame, weight: str, options: Options) -> pl.DataFrame:
    """The rows with a positive weight.

    Raises:
        InvalidValue: there are none.
    """
    rows = rows.filter(pl.col(weight) > 0)
    _something(rows, options)
    return rows


def _something(rows: pl.DataFrame, options: Options) -> None:
    """Refuse a log without rows.

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
    """The values of a former fit at the keys of a new one; NaN where it has none."""
    out: dict[str, Array] = {}
    group = row_index(keys.groups, of.groups, of.by) if of.by else np.zeros(1, dtype=np.int64)
    for parameter in model.parameters:
        value = former[parameter.name].value
        at = of.rows_codes(keys.pairs) if parameter.keys == PAIR else group
        rows = np.concatenate([value, np.full((1, *value.shape[1:]), np.nan)])[np.where(at < 0, len(value), at)]
        positions = "position" in parameter.keys
        out[parameter.name] = at_length(rows, keys.longest, np.nan) if positions else rows
    return out


def fit(
    log: Modelled | GradedLog,
    name: str,
    *,
    by: str | Sequence[str] | None = None,
    start: FittedModel | None = None,
    confidence: float = 0.95,
    convention: str | None = None,
    **options: Any,
) -> FittedModel:
    """Fit a click model to a log; `ir.Impressions.fit` describes the arguments."""
    model, chosen, level = named(name), options_of(convention, options), CONFIDENCE.check("confidence", confidence)
    if start is not None and getattr(start, "name", None) != model.name:
        raise InvalidParameter(
            f"A fit of {model.name} cannot start from {getattr(start, 'name', start)!r}.",
            f"Give it a model that log.fit({model.name!r}) made.",
        )
    for option in ("fixed", "initial"):
        named_ones = options.get(option) if isinstance(options.get(option), Mapping) else {}
        if unknown := [k for k in named_ones or () if k not in [p.name for p in model.parameters]]:
            raise InvalidParameter(
                f"{option} names {unknown[0]!r}; {model.name} has: {', '.join(p.name for p in model.parameters)}.",
                Hint("Write ", Argument(option, {model.parameters[-1].name: 0.5}), "."),
            )
    rows = rows_of(log, by)
    for column in _read(model):
        if column not in rows.frame.columns:
            raise MissingColumn(
                f"{model.name} needs a column {column!r}, which the log does not have.",
                Hint("Name it: ", Argument("columns", {column: "their_name"}), "."),
            )
    with rows.engine.errors():
        rows.checks()
        again = functools.partial(_pages, log, by, chosen)
        data = counts(model, rows.engine, rows.frame, tuple(rows.groups), chosen, again)
    begin = None if start is None else started(model, start.estimates, start.keys, data.keys)
    estimates, trace = model.fit(data, chosen, begin)
    keys, graded = keys_after(model, data), getattr(log, "by_grade", False)
    estimates = marked(model, keys, estimates, trace, chosen)
    return FittedModel(model, keys, estimates, chosen, trace, level, groups=rows.groups, data=data, graded=graded)


def _pages(log: Modelled | GradedLog, by: str | Sequence[str] | None, options: Options) -> Pages:
    """The pages of a log, which is read once more."""
    rows = rows_of(log, by)
    with rows.engine.errors():
        return whole_pages(rows.engine, rows.frame, tuple(rows.groups), options)


def _read(model: ClickModel[Any]) -> tuple[str, ...]:
    return ("serp_id", "query_id", "doc_id", "position") if model.needs_pages else model.counts_by


def of_parameters(
    name: str, parameters: pl.DataFrame, *, by: Sequence[str] = (), prior: tuple[float, float] = (1, 1)
) -> FittedModel:
    """A model from a table of its parameters: [by …] parameter query_id doc_id position last_click value.

    A table with `grade` in the place of `query_id` and `doc_id` makes a model by grade.

    Args:
        name: of the model.
        parameters: a row per value; columns that no parameter of the model has as a key may be missing.
        by: the columns of groups.
        prior: its mean a / (a + b) is the value of unknown documents.

    Raises:
        MissingColumn: a column is not there.
        InvalidParameter: a parameter of the model is not there, or a value is no probability.
        DuplicateRows: a parameter has several values.
    """
    model = named(name)
    groups = {f"by_{i}": name for i, name in enumerate(by)}
    graded = "grade" in parameters.columns and not {"query_id", "doc_id"} & {*parameters.columns}
    if graded:
        parameters = parameters.with_columns(
            query_id=pl.lit(0, dtype=pl.Int64), doc_id=pl.col("grade").cast(pl.Float64)
        )
    rows = saving.checked(model, parameters, by).rename({name: alias for alias, name in groups.items()})
    keys, estimates = tables.estimates_of(model, rows, tuple(groups))
    options = options_of(None, {"prior": prior})
    return FittedModel(model, keys, estimates, options, Trace(), groups=groups, graded=graded)


def load(path: str | os.PathLike[str]) -> FittedModel:
    """A model that `save` wrote."""
    rows, metadata = saving.read(path)
    model, by = named(metadata["name"]), tuple(metadata["groups"])
    keys, estimates = tables.estimates_of(model, rows, by)
    words = [*tables.STATUS]
    marks = rows.with_columns(
        value=pl.col("status").replace_strict(words, range(len(words)), default=0, return_dtype=pl.Float64)
    )
    disconnected = {}
    for name, e in tables.estimates_of(model, marks, by)[1].items():
        statuses = np.array(words)[np.nan_to_num(e.value).astype(np.int64)]
        disconnected[name] = statuses == "disconnected"
        estimates[name].flags = np.where(np.isin(statuses, tables.KEPT_FLAGS), statuses, "")
    keys = dataclasses.replace(keys, longest=metadata["longest"])
    stored_trace = metadata["trace"]
    likelihoods, objectives, changes = (tuple(stored_trace[k]) for k in ("log_likelihood", "objective", "changes"))
    trace = Trace(likelihoods, objectives, changes, stored_trace["converged"])
    options = Options(**{**metadata["options"], "prior": tuple(metadata["options"]["prior"])})
    more = {"groups": metadata["groups"], "disconnected": disconnected, "graded": metadata.get("graded", False)}
    return FittedModel(model, keys, estimates, options, trace, metadata["confidence"], **more)


def groups_of(model: ClickModel[Any], keys: Keys, name: str, size: int) -> Codes:
    """The index of the group of each value of a parameter, flat."""
    (parameter,) = (p for p in model.parameters if p.name == name)
    if parameter.keys == PAIR:
        return keys.of_pair
    if parameter.keys[:2] == PAIR:
        return keys.of_pair[keys.places // max(1, keys.longest)]
    return np.repeat(np.arange(keys.n_groups), size // max(1, keys.n_groups))


def marked(model: ClickModel[Any], keys: Keys, estimates: Estimates, trace: Trace, options: Options) -> Estimates:
    """The estimates, with flags for those that are fixed, at 0 or 1, or of a group whose iteration stopped early.

    With a tolerance of 0 the number of steps was requested, and there is no warning.
    """
    if trace.last_change is None:
        return estimates
    stopped = np.zeros(keys.n_groups, dtype=np.bool_)
    for name, change in trace.last_change.items():
        stopped[groups_of(model, keys, name, change.size)[change.ravel() > options.tolerance]] = True
    out = {}
    for name, e in estimates.items():
        words = np.full(e.value.size, "", dtype="U13")
        value = e.value.ravel()
        words[(value <= 0.0) | (value >= 1.0)] = "unbounded"
        words[stopped[groups_of(model, keys, name, e.value.size)]] = "not_converged"
        if name in options.fixed:
            words[:] = "fixed"
        out[name] = dataclasses.replace(e, flags=words.reshape(e.value.shape))
    if stopped.any() and options.tolerance > 0:
        of = f" in {stopped.sum()} of {len(stopped)} groups" if len(stopped) > 1 else ""
        warn(
            f"{model.name} stopped after {len(trace.changes)} iterations{of}, the last of which changed a value by "
            f"{trace.changes[-1]:.2g}, more than the tolerance {options.tolerance:g}. Allow more iterations "
            f"({10 * options.iterations}), or a larger tolerance.",
            ConvergenceWarning,
        )
    return out
