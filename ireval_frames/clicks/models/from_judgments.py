"""A click model from judgments: grades become attraction, for tests, teaching and simulation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.clicks.models.declared import AFTER, PAIR, Parameter, named
from ireval_frames.clicks.models.fitting import of_parameters
from ireval_frames.clicks.models.model import FittedModel
from ireval_frames.errors import Argument, Hint, InvalidParameter, MissingColumn, NotDefined, listed

# The share of users who look at each position, by eye tracking (Joachims et al., SIGIR 2005).
COMPARED_IDS = (0.68, 0.61, 0.48, 0.34, 0.28, 0.20, 0.11, 0.10, 0.08, 0.06)
# Defaults of parameters that grades do not give.
DEFAULTS: Mapping[str, float | Sequence[float]] = {"examination": COMPARED_IDS, "continuation": 0.9}


def of_judgments(
    name: str,
    judgments: pl.DataFrame,
    *,
    noise: float = 0.1,
    highest: float | None = None,
    values: Mapping[str, float | Sequence[float]] | None = None,
) -> FittedModel:
    """A click model whose documents attract by their grades: noise + (1 − noise) (2^g − 1) / (2^highest − 1).

    Satisfaction, where the model has it, is (2^g − 1) / 2^highest, as in ERR.

    Args:
        name: CM, DCM, SDBN, PBM, DBN, CCM or DCTR.
        judgments: [query_id doc_id relevance], grades from 0.
        noise: the attraction of grade 0.
        highest: the highest grade; by default that of the judgments.
        values: further parameters: a number for all, or a list by position (of CCM after no click, a click, and one
            that satisfied).  By default examination is that of eye tracking, and continuation 0.9.

    Raises:
        NotDefined: the model has parameters that neither grades nor lists determine (GCTR, RCTR, DRCTR, UBM).
        MissingColumn: the judgments lack a column.
        InvalidParameter: a number is not allowed.

    Source: of the attraction, Ai et al., CIKM 2018.

    Example:
        >>> import polars as pl
        >>> from ireval_frames.clicks import models
        >>> grades = pl.DataFrame({"query_id": [1, 1], "doc_id": ["a", "b"], "relevance": [0, 2]})
        >>> models.of_judgments("SDBN", grades).relevance()["relevance"].to_list()
        [0.0, 0.75]
    """
    model = named(name)
    for column in (*PAIR, "relevance"):
        if column not in judgments.columns:
            raise MissingColumn(
                f"The judgments have no column {column!r} (they have: {listed(judgments.columns, 20)}).",
                f'Rename one: frame.rename({{"their_name": "{column}"}})',
            )
    grades = judgments["relevance"].cast(pl.Float64)
    most = grades.max()
    top = float(highest) if highest is not None else most if isinstance(most, float) and most != 0.0 else 1.0
    if not 0 <= noise < 1 or top <= 0 or not grades.is_between(0, top).all():
        raise InvalidParameter(
            f"noise is {noise!r} and grades go from {grades.min()!r} to {grades.max()!r} of {top:g}; allowed: noise "
            "from 0 to below 1, and grades from 0 to the highest.",
            Hint("Write ", Argument("noise", 0.1), ", ", Argument("highest", 3), "."),
        )
    gain = 2.0**grades - 1.0
    of_pairs = {
        "attraction": noise + (1.0 - noise) * gain / (2.0**top - 1.0),
        "satisfaction": gain / 2.0**top,
    }
    of_pairs["ctr"] = of_pairs["attraction"]
    known = {**DEFAULTS, **(values or {})}
    parts = []
    for parameter in model.parameters:
        if parameter.keys == PAIR:
            rows = judgments.select(*PAIR).with_columns(value=of_pairs[parameter.name])
        else:
            rows = _parameter_rows(model.name, parameter, known)
        parts.append(rows.with_columns(parameter=pl.lit(parameter.name)))
    return of_parameters(name, pl.concat(parts, how="diagonal"))


def _parameter_rows(model: str, parameter: Parameter, values: Mapping[str, Any]) -> pl.DataFrame:
    """The rows of a parameter that is not of documents."""
    if parameter.keys not in (("position",), ("after",), ()) or parameter.name not in values:
        raise NotDefined(
            f"Grades do not determine the {parameter.name} of {model}.",
            "Give its parameters as a table: models.of_parameters(name, frame).",
        )
    value = values[parameter.name]
    if not parameter.keys:
        return pl.DataFrame({"value": [float(value)]})
    if parameter.keys == ("after",):
        each = [float(value)] * 3 if isinstance(value, int | float) else [float(v) for v in value]
        return pl.DataFrame({"after": list(AFTER), "value": each})
    each = [float(value)] * len(COMPARED_IDS) if isinstance(value, int | float) else [float(v) for v in value]
    return pl.DataFrame({"position": range(1, len(each) + 1), "value": each})
