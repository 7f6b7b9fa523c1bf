"""A model's parameters as a table, and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.clicks.models.counts.keys import Keys, by_query, keys_of, longest_of
from ireval_frames.clicks.models.declared import AFTER, PAIR, Array, ClickModel, Estimate, Estimates, Parameter

NUMBERS = ("value", "n", "low", "high")
# The meaning of each status.
STATUS = {
    "ok": "a ratio of counts of the log",
    "converged": "the iteration converged",
    "lower_bound": "it maximises a lower bound of the likelihood, not the likelihood itself, as does its interval",
    "not_converged": "the iteration stopped early, and more iterations would change it",
    "unbounded": "0 or 1, where the logit is infinite and has no standard error",
    "singular": "the log determines it only together with others, so it has no standard error",
    "scale": "others are relative to it, so it has no interval",
    "fixed": "it was fixed",
    "prior": "the log has no data on it: it is the mean of the prior",
    "undefined": "the log has no data on it, and there is no prior: it has no value",
    "disconnected": "no document connects it to most others, so it cannot be compared with them",
}
# Those that an estimate stores; others follow from its counts.
KEPT_FLAGS = ("not_converged", "unbounded", "singular", "scale", "fixed")


def table(
    model: ClickModel[Any],
    keys: Keys,
    estimates: Estimates,
    prior: tuple[float, float],
    disconnected: Mapping[str, Array],
    expected: str = "ok",
) -> pl.DataFrame:
    """[by …] parameter query_id doc_id position last_click (after) value n low high status.

    Args:
        model: the model.
        keys: the keys of its parameters.
        estimates: their values.
        prior: of the fit.
        disconnected: by parameter, which values cannot be compared with most others.
        expected: the status of values without a flag.
    """
    parts = []
    for parameter in model.parameters:
        of = estimates[parameter.name]
        rows = _keyed(parameter, keys, of.value.shape)
        bare = np.full(of.value.size, np.nan)
        parts.append(
            rows.with_columns(
                parameter=pl.lit(parameter.name),
                value=_numbers(of.value.ravel()),
                n=_numbers(of.n.ravel()),
                low=_numbers(bare if of.low is None else of.low.ravel()),
                high=_numbers(bare if of.high is None else of.high.ravel()),
                _hits=_numbers(of.hits.ravel()),
                status=status(of, prior, disconnected.get(parameter.name), expected),
            ).filter(pl.col("_there") if "_there" in rows.columns else pl.lit(value=True))
        )
    out = pl.concat(parts, how="diagonal")
    columns = ["query_id", "doc_id", "position", "last_click", "after"]
    used = [c for c in columns if c in out.columns and (c != "after" or "after" in out.columns)]
    types = {"query_id": pl.String, "doc_id": pl.String, "position": pl.Int64, "last_click": pl.Int64}
    missing = [pl.lit(None, dtype=t).alias(c) for c, t in types.items() if c not in used]
    key_columns = [*columns[:4], *(["after"] if "after" in used else [])]
    return out.with_columns(missing).select(*keys.by, "parameter", *key_columns, *NUMBERS, "status", "_hits")


def _numbers(of: Array) -> pl.Series:
    return pl.Series(of).fill_nan(None)


def status(of: Estimate, prior: tuple[float, float], disconnected: Array | None, expected: str) -> pl.Series:
    """The status of each value, flat; `good` is that of what is as it should be."""
    counted = pl.Series((of.n > 0).ravel())
    other = pl.Series(
        (np.zeros(of.n.shape, np.bool_) if disconnected is None else disconnected.astype(np.bool_)).ravel()
    )
    uncounted = pl.when(~counted).then(pl.lit("prior" if sum(prior) > 0 else "undefined"))
    flags = pl.Series(np.full(of.n.size, "") if of.flags is None else of.flags.ravel(), dtype=pl.String)
    out = uncounted.when(other).then(pl.lit("disconnected")).when(flags != "").then(flags)
    return pl.select(out.otherwise(pl.lit(expected))).to_series()


def of_product(
    names: Sequence[str],
    estimates: Estimates,
    prior: tuple[float, float],
    disconnected: Mapping[str, Array],
    expected: str,
) -> pl.Series:
    """The status of a product of parameters: that of the first with a flag."""
    statuses = [status(estimates[name], prior, disconnected.get(name), expected) for name in names]
    worst = pl.coalesce(*(pl.when(s != expected).then(s) for s in statuses), pl.lit(expected))
    return pl.select(status=worst).to_series()


def _keyed(parameter: Parameter, keys: Keys, shape: tuple[int, ...]) -> pl.DataFrame:
    """A row for each place of a parameter's array; `_there` where not every place is one."""
    if parameter.keys == PAIR:
        return keys.pairs
    if parameter.keys == (*PAIR, "position"):
        pair, position = keys.places // max(1, keys.longest), keys.places % max(1, keys.longest) + 1
        return keys.pairs[pair].with_columns(position=pl.Series(position, dtype=pl.Int64))
    indices = np.indices(shape).reshape(len(shape), -1)
    rows = keys.groups[indices[0]] if keys.by else pl.DataFrame({"_one": indices[0]})
    if "position" in parameter.keys:
        rows = rows.with_columns(position=pl.Series(indices[1] + 1, dtype=pl.Int64))
    if "last_click" in parameter.keys:
        last = pl.Series(indices[2], dtype=pl.Int64)
        rows = rows.with_columns(last_click=last, _there=last < rows["position"])
    if "after" in parameter.keys:
        rows = rows.with_columns(after=pl.Series([AFTER[i] for i in indices[1]], dtype=pl.String))
    return rows.drop("_one", strict=False)


def estimates_of(model: ClickModel[Any], rows: pl.DataFrame, by: Sequence[str]) -> tuple[Keys, Estimates]:
    """The parameters of a table as arrays.

    Args:
        model: whose parameters they are.
        rows: what `table` gives; `n`, `low`, `high` and `_hits` may be missing.
        by: its columns of groups.
    """
    longest = longest_of(rows)
    of_pairs = [p.name for p in model.parameters if p.keys[:2] == PAIR]
    paired = rows.filter(pl.col("parameter").is_in(of_pairs)) if of_pairs else rows.select(*by)
    keys = keys_of(by_query(paired, by), by, ["doc_id"] if of_pairs else [], longest)
    if by:
        keys = dataclasses.replace(keys, groups=rows.select(*by).unique().sort(list(by)))
    estimates: Estimates = {}
    for parameter in model.parameters:
        own = rows.filter(pl.col("parameter") == parameter.name)
        shape, place, keys = places_of(parameter, keys, own)
        read = {}
        for name in ("value", "n", "low", "high", "_hits"):
            array = np.full(int(np.prod(shape)), 0.0 if name in ("n", "_hits") else np.nan)
            if name in own.columns:
                array[place] = (
                    own[name].cast(pl.Float64).fill_null(0.0 if name in ("n", "_hits") else np.nan).to_numpy()
                )
            read[name] = array.reshape(shape)
        bounds = (None, None) if np.isnan(read["low"]).all() else (read["low"], read["high"])
        estimates[parameter.name] = Estimate(read["_hits"], read["n"], read["value"], *bounds)
    return keys, estimates


def places_of(
    parameter: Parameter, keys: Keys, rows: pl.DataFrame
) -> tuple[tuple[int, ...], np.ndarray[tuple[int, ...], np.dtype[np.int64]], Keys]:
    """The shape of a parameter's array, the place of each row in it, and the keys with the places it adds."""
    if parameter.keys == PAIR:
        return (keys.n_pairs,), keys.rows_codes(rows), keys
    group, longest = keys.group_codes(rows), keys.longest
    if "position" in parameter.keys:
        position = rows["position"].to_numpy().astype(np.int64) - 1
        if parameter.keys == (*PAIR, "position"):
            code = keys.rows_codes(rows) * longest + position
            places = np.sort(code)
            return (len(places),), np.searchsorted(places, code), dataclasses.replace(keys, places=places)
        if "last_click" not in parameter.keys:
            return (keys.n_groups, longest), group * longest + position, keys
        last = rows["last_click"].to_numpy().astype(np.int64)
        return (keys.n_groups, longest, longest), (group * longest + position) * longest + last, keys
    if parameter.keys == ("after",):
        after = np.array([AFTER.index(a) for a in rows["after"].to_list()], dtype=np.int64)
        return (keys.n_groups, 3), group * 3 + after, keys
    return (keys.n_groups,), group, keys
