"""Intervals of measures that read a click model, from draws of the posterior of its parameters."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ireval_frames import catalog
from ireval_frames.engines.inputs.frames import polars_frame
from ireval_frames.errors import Argument, Hint, InvalidParameter, MissingColumn, NotDefined, listed
from ireval_frames.io.reading import TABLE
from ireval_frames.parameters import Parameter, number, whole
from ireval_frames.ranking.inputs.model_parameters import READS
from ireval_frames.subject import request_of

CONFIDENCE = number(0.95, low=0.0, high=1.0, open_ends=True)
DRAWS, SEED = whole(200, low=2), whole(0, low=0)
# Without a prior the posterior is that of Jeffreys' prior.
JEFFREYS = (0.5, 0.5)


@dataclass(frozen=True)
class DrawnModel:
    """The parameters of one draw, as a fitted model."""

    rows: pl.DataFrame
    options: Any
    by: tuple[str, ...] = ()

    def parameters(self) -> pl.DataFrame:
        """The drawn parameters."""
        return self.rows


def intervals(
    subject: Any,
    measures: Any,
    n_resamples: int,
    seed: int,
    confidence: float,
    prior: tuple[float, float] | None,
    by: Any,
    policy: Any,
    *,
    per_unit: bool,
) -> pl.DataFrame:
    """The result of `Rankings.click_intervals`; `subject` is the rankings."""
    parsed = catalog.parse_all(measures, "ranking")
    if without := [m for m in parsed if READS not in m.definition.reads]:
        raise NotDefined(
            f"{without[0]} reads no click model, so it has no such interval.",
            "Evaluate EBU, uSDBN, uDCM, rrDBN or rrDCM; ir.resampling.bootstrap draws queries for any measure.",
        )
    n_resamples, seed = _checked("n_resamples", n_resamples, DRAWS), _checked("seed", seed, SEED)
    tail = (1.0 - _checked("confidence", confidence, CONFIDENCE)) / 2.0
    model = request_of(subject).user_tables["click_model"]

    def evaluate(click_model: Any) -> pl.DataFrame:
        changed = copy.copy(subject)
        changed.__dict__["_user_tables"] = {**request_of(subject).user_tables, "click_model": click_model}
        evaluation = changed.evaluate(parsed, by=by, policy=policy)
        frame: pl.DataFrame = evaluation.per_unit() if per_unit else evaluation.summary()
        return frame.drop("n_units", "n_undefined", strict=False)

    # The estimates come first, so that errors of the tables are raised for them.
    values = evaluate(model)
    rows, size = _posterior(model, prior)
    rng, parts = np.random.default_rng(seed), []
    value = rows["value"].cast(pl.Float64).fill_null(np.nan).to_numpy()
    known = ~np.isnan(value)
    a, b = value[known] * size[known], (1.0 - value[known]) * size[known]
    for _ in range(n_resamples):
        drawn = np.full(len(value), np.nan)
        drawn[known] = rng.beta(np.maximum(a, 1e-300), np.maximum(b, 1e-300))
        parameters = rows.with_columns(value=pl.Series(drawn).fill_nan(None))
        parts.append(evaluate(DrawnModel(parameters, model.options) if hasattr(model, "options") else parameters))
    keys = [c for c in values.columns if c != "value"]
    of_draws = pl.concat(parts).group_by(keys, maintain_order=True).agg(
        low=pl.col("value").quantile(tail, "linear"), high=pl.col("value").quantile(1.0 - tail, "linear")
    )  # fmt: skip
    return values.join(of_draws, on=keys, how="left", nulls_equal=True, maintain_order="left")


def _posterior(model: Any, prior: Sequence[float] | None) -> tuple[pl.DataFrame, np.ndarray[Any, Any]]:
    """The parameters, and a + b of the Beta posterior of each.

    Raises:
        NotDefined: the parameters are no ratios of counts.
        MissingColumn: the table has no counts.
    """
    fitted = hasattr(model, "parameters") and hasattr(model, "options")
    if fitted and not model.model.closed:
        raise NotDefined(
            f"{model.name} is fitted by iteration, and its parameters have no posteriors in closed form.",
            "Fit SDBN, DCM or CM; or fit it to pages drawn anew, and evaluate with each.",
        )
    rows = model.parameters() if fitted else polars_frame(model, "click_model", TABLE)
    if "n" not in rows.columns:
        raise MissingColumn(
            f"The click_model table has no column 'n' of counts (it has: {listed(rows.columns, 20)}).",
            "Pass model.parameters(), which has it.",
        )
    a, b = model.options.prior if prior is None and fitted else (prior or (1.0, 1.0))
    n = rows["n"].cast(pl.Float64).fill_null(0.0).to_numpy()
    if a + b > 0:
        return rows, n + a + b
    smoothed = (pl.col("value") * pl.col("n") + JEFFREYS[0]) / (pl.col("n") + sum(JEFFREYS))
    return rows.with_columns(value=smoothed), n + sum(JEFFREYS)


def _checked(name: str, value: Any, parameter: Parameter) -> Any:
    try:
        return parameter.convert(value)
    except ValueError as error:
        raise InvalidParameter(
            f"{name} is {value!r}; it must be {error}.", Hint("Write ", Argument(name, parameter.default), ".")
        ) from None
