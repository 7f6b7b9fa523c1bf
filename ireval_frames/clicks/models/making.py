"""Making fitted click models: from a log, from a table of parameters, from a file."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ireval_frames.clicks.models import saving, tables
from ireval_frames.clicks.models.counts.pages import Pages
from ireval_frames.clicks.models.declared import ClickModel, Trace, named
from ireval_frames.clicks.models.fitting import counts, keys_after, started, whole_pages
from ireval_frames.clicks.models.log import rows_of
from ireval_frames.clicks.models.model import FittedModel
from ireval_frames.clicks.models.options import Options, options_of
from ireval_frames.clicks.models.stopping import marked
from ireval_frames.errors import Argument, Hint, InvalidParameter, MissingColumn
from ireval_frames.parameters import CONFIDENCE

if TYPE_CHECKING:
    from ireval_frames.clicks.modelled import Modelled
    from ireval_frames.clicks.models.grades import GradedLog


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
    """Fit a click model to a log; `ir.Impressions.fit` says what the arguments are."""
    model, chosen, level = named(name), options_of(convention, options), CONFIDENCE.check("confidence", confidence)
    if start is not None and getattr(start, "name", None) != model.name:
        raise InvalidParameter(
            f"A fit of {model.name} cannot begin at {getattr(start, 'name', start)!r}.",
            f"Give it a model that log.fit({model.name!r}) made.",
        )
    for option in ("fixed", "initial"):
        named_ones = options.get(option) if isinstance(options.get(option), Mapping) else {}
        if odd := [k for k in named_ones or () if k not in [p.name for p in model.parameters]]:
            raise InvalidParameter(
                f"{option} names {odd[0]!r}; {model.name} has: {', '.join(p.name for p in model.parameters)}.",
                Hint("Write ", Argument(option, {model.parameters[-1].name: 0.5}), "."),
            )
    given = rows_of(log, by)
    for column in _read(model):
        if column not in given.frame.columns:
            raise MissingColumn(
                f"{model.name} needs a column {column!r}, which the log has not.",
                Hint("Name it: ", Argument(column.removesuffix("_id"), "their_name")),
            )
    with given.engine.errors():
        given.checks()
        again = functools.partial(_pages, log, by, chosen)
        data = counts(model, given.engine, given.frame, tuple(given.groups), chosen, again)
    begin = None if start is None else started(model, start.estimates, start.keys, data.keys)
    estimates, trace = model.fitted(data, chosen, begin)
    keys, graded = keys_after(model, data), getattr(log, "by_grade", False)
    estimates = marked(model, keys, estimates, trace, chosen)
    return FittedModel(model, keys, estimates, chosen, trace, level, groups=given.groups, data=data, graded=graded)


def _pages(log: Modelled | GradedLog, by: str | Sequence[str] | None, options: Options) -> Pages:
    """The pages of a log, which is read once more."""
    given = rows_of(log, by)
    with given.engine.errors():
        return whole_pages(given.engine, given.frame, tuple(given.groups), options)


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
        prior: what documents that it does not know are taken for: its mean a / (a + b).

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
    rows, facts = saving.read(path)
    model, by = named(facts["name"]), tuple(facts["groups"])
    keys, estimates = tables.estimates_of(model, rows, by)
    words = [*tables.STATUS]
    marks = rows.with_columns(
        value=pl.col("status").replace_strict(words, range(len(words)), default=0, return_dtype=pl.Float64)
    )
    disconnected = {}
    for name, e in tables.estimates_of(model, marks, by)[1].items():
        told_of = np.array(words)[np.nan_to_num(e.value).astype(np.int64)]
        disconnected[name] = told_of == "disconnected"
        estimates[name].odd = np.where(np.isin(told_of, tables.ODD), told_of, "")
    keys = dataclasses.replace(keys, longest=facts["longest"])
    told = facts["trace"]
    likelihoods, objectives, changes = (tuple(told[k]) for k in ("log_likelihood", "objective", "changes"))
    trace = Trace(likelihoods, objectives, changes, told["converged"])
    options = Options(**{**facts["options"], "prior": tuple(facts["options"]["prior"])})
    more = {"groups": facts["groups"], "disconnected": disconnected, "graded": facts.get("graded", False)}
    return FittedModel(model, keys, estimates, options, trace, facts["confidence"], **more)
