"""What the parameters of a click model must not hold, and what measures cannot do without."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from ireval_frames.errors import DuplicateRows, InvalidValue, MismatchedTables, NotDefined
from ireval_frames.expr import Expr, col
from ireval_frames.plan import Plan, Table

# What a model must have for a parameter that a measure reads.
FITTED = {
    "satisfaction": "SDBN and DBN have it; of others say it, as in rrDBN(satisfaction=1)",
    "continuation": "DBN has one for all, which EBU(continuation=0.9) says instead, and DCM one by position",
    "examination": "PBM has it by position",
    "examination by position and last click": "UBM has it",
}


def checked(plan: Plan, given: Table, of_documents: Expr, keys: Sequence[str]) -> None:
    """Refuse values that are no probabilities, and such of no document."""
    value = col("value")
    plan.require(given, (value < 0.0) | (value > 1.0) | value.is_nan(), _no_probability)
    nothing = col(keys[0]).is_null()
    for key in keys[1:]:
        nothing = nothing | col(key).is_null()
    plan.require(given, of_documents & nothing, _of_nothing)


def _no_probability(rows: pl.DataFrame, count: int) -> InvalidValue:
    return InvalidValue(
        f"The values of the click_model table must be probabilities, and {count} are not; the first: "
        f"{rows['parameter'][0]} {rows['value'][0]!r}.",
        'Find them: parameters.filter(~pl.col("value").is_between(0, 1)).',
    )


def _of_nothing(rows: pl.DataFrame, count: int) -> InvalidValue:
    return InvalidValue(
        f"The click_model table has {count} rows of {rows['parameter'][0]} that say neither of which document nor of "
        "which grade.",
        "Give them query_id and doc_id, or relevance, or leave them out.",
    )


def several(rows: pl.DataFrame, count: int) -> DuplicateRows:
    """A parameter has several values for one key."""
    first = {k: rows[k][0] for k in ("query_id", "doc_id", "relevance", "position") if k in rows.columns}
    said = ", ".join(f"{k} {v!r}" for k, v in first.items())
    return DuplicateRows(
        f"The click_model table has several values of one parameter for {count} keys; the first: {said}.",
        "Keep the parameters of one model: one value for each document or grade, and for each position.",
    )


def lacking(name: str, measure: str) -> NotDefined:
    """A measure reads a parameter that the model has not."""
    said = FITTED.get(name, "CM, DCM, SDBN, PBM, UBM, DBN and CCM have it")
    return NotDefined(f"{measure} reads {name}, of which the click_model table has no one value.", f"{said}.")


def no_prior(measure: str) -> NotDefined:
    """A table does not tell the prior of its fit."""
    return NotDefined(
        f"{measure} takes documents without parameters for the prior's mean, which a table of parameters does not say.",
        "Hand in the fitted model, or say a number: unseen=0.5.",
    )


def unseen_documents(measure: str) -> Callable[[pl.DataFrame, int], MismatchedTables]:
    """Lists hold documents that the model has no parameters of."""

    def error(rows: pl.DataFrame, count: int) -> MismatchedTables:
        return MismatchedTables(
            f"{measure}: in the lists of {count} queries are documents without parameters; the first: query_id "
            f"{rows['query_id'][0]!r}.",
            "Say what they are taken for: unseen=0, or unseen='prior'.",
        )

    return error
