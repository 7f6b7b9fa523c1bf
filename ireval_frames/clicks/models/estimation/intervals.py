"""Intervals of the parameters of models that are fitted by iteration, from the likelihood of the counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ireval_frames.clicks.models.counts.cells import Cells
from ireval_frames.clicks.models.counts.keys import Keys
from ireval_frames.clicks.models.counts.pages import Pages
from ireval_frames.clicks.models.declared import Array, Estimate, Estimates, Mask
from ireval_frames.clicks.models.estimation import information, profiling
from ireval_frames.clicks.models.estimation.ascent import Peak, maximise_freely
from ireval_frames.clicks.models.estimation.iteration import Iterated
from ireval_frames.clicks.models.options import Options
from ireval_frames.clicks.models.tables import places_of
from ireval_frames.errors import (
    Argument,
    ConvergenceWarning,
    Hint,
    InvalidParameter,
    MissingColumn,
    UnknownName,
    nearest,
    warn,
)
from ireval_frames.parameters import choice

METHODS = ("information", "profile", "bootstrap")
# EM cannot leave 1; it goes back there.
BELOW_ONE = 1.0 - 1e-6

Of = str | Sequence[str] | pl.DataFrame | None


def method_of(method: str) -> str:
    """A method, if it is one.

    Raises:
        UnknownName: there is no such method.
    """
    return str(choice(*METHODS).check("method", method))


def bounded(
    model: Iterated[Any],
    data: Cells | Pages,
    estimates: Estimates,
    options: Options,
    method: str,
    of: Of,
    confidence: float,
) -> tuple[Estimates, tuple[Array, Array]]:
    """The maximum with intervals, and the interval of relevance.

    Args:
        model: what is estimated.
        data: the counts it was fitted to.
        estimates: where the search for the maximum begins.
        options: of the fit.
        method: "information" or "profile".
        of: of which values; None for all.
        confidence: of the intervals.

    Raises:
        UnknownName, MissingColumn, InvalidParameter: `of` names what there is not.
    """
    step, _ = model.e_step(data)
    frozen = {} if {"attraction", "examination"} & {*options.fixed} else model.scale(data)
    requested = requested_values(model, data.keys, estimates, of)
    start = {k: e.value if k in options.fixed else np.minimum(e.value, BELOW_ONE) for k, e in estimates.items()}
    peak = maximise_freely(step, start, options, frozen)
    if method == "information":
        keys = data.keys
        block = np.arange(keys.n_pairs) if model.pairs_independent else keys.query_of_pair
        blocks = information.blocks_of(block, keys.of_pair, keys.n_groups)
        bounded_estimates, product = information.informed(
            step, peak, options, model.parameters, frozen, blocks, confidence
        )
    else:
        bounded_estimates, product = profiling.profiled(step, peak, options, frozen, requested, confidence), None
    for name, e in bounded_estimates.items():
        e.flags = _flags(name, e, peak, options, frozen, method)
        keep = requested[name] & (e.n > 0)
        e.low, e.high = (None if b is None else np.where(keep, b, np.nan) for b in (e.low, e.high))
    if not peak.converged:
        message = f"{model.name}: the maximum was not found from these estimates, so that intervals stand beside it."
        warn(message, ConvergenceWarning)
    if len(model.relevant) == 1:
        (only,) = model.relevant
        low, high = bounded_estimates[only].low, bounded_estimates[only].high
        product = None if low is None or high is None else (low, high)
    none = np.full(data.keys.n_pairs, np.nan)
    return bounded_estimates, product or (none, none)


def _flags(
    name: str, e: Estimate, peak: Peak, options: Options, frozen: Mapping[str, Mask], method: str
) -> NDArray[np.str_]:
    """What is odd about each value: a word of `tables.STATUS`, or ""."""
    flags = np.full(e.value.shape, "" if peak.converged else "not_converged", dtype="U13")
    free = information.inside(name, peak, options, frozen)
    if method == "information" and e.low is not None:
        flags[free & np.isnan(e.low)] = "singular"
    flags[~free] = "unbounded"
    if name in frozen:
        flags[frozen[name]] = "scale"
    if name in options.fixed:
        flags[:] = "fixed"
    return flags


def requested_values(model: Iterated[Any], keys: Keys, estimates: Estimates, of: Of) -> dict[str, Mask]:
    """By parameter, the requested values.

    Raises:
        UnknownName, MissingColumn, InvalidParameter: there are no such ones.
    """
    names = [p.name for p in model.parameters]
    if of is None or isinstance(of, str | list | tuple):
        names_requested = names if of is None else [of] if isinstance(of, str) else list(of)
        for name in names_requested:
            if name not in names:
                raise UnknownName(f"{model.name} has no parameter {name!r}.", nearest(str(name), names))
        return {name: np.full(e.value.shape, name in names_requested) for name, e in estimates.items()}
    if not isinstance(of, pl.DataFrame):
        raise InvalidParameter(
            f"of is {of!r}; allowed: names of parameters, or rows of parameters().",
            Hint("Write ", Argument("of", "attraction"), "."),
        )
    out: dict[str, Mask] = {}
    for parameter in model.parameters:
        _has(of, ("parameter", *keys.by))
        own = of.filter(pl.col("parameter") == parameter.name)
        mask = np.zeros(estimates[parameter.name].value.shape, dtype=np.bool_)
        if own.height:
            _has(of, parameter.keys)
            place = places_of(parameter, keys, own)[1]
            if place.min() < 0 or place.max() >= mask.size:
                raise InvalidParameter(
                    f"of has rows of {parameter.name} for what the model was not fitted to.",
                    "Take rows of its own table: model.parameters().filter(…)",
                )
            mask.flat[place] = True
        out[parameter.name] = mask
    return out


def _has(of: pl.DataFrame, columns: Mapping[str, Any] | Sequence[str]) -> None:
    for column in columns:
        if column not in of.columns:
            raise MissingColumn(f"of has no column {column!r}.", "Take rows of model.parameters().")
