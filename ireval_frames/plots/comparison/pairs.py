"""The pair of systems that a picture is of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.comparison.comparison import Comparison
from ireval_frames.errors import Argument, Hint, InvalidParameter, UnknownName, nearest
from ireval_frames.plots import inputs

if TYPE_CHECKING:
    from ireval_frames.evaluation.evaluation import Evaluation


def compared(result: Any, baseline: str | None = None) -> Comparison:
    """The comparison itself, or that of an evaluation.

    Raises:
        InvalidParameter: it is neither.
    """
    if isinstance(result, Comparison):
        return result
    inputs.values_of(result)
    comparison: Comparison = result.compare(baseline)
    return comparison


def pair(rows: pl.DataFrame, system: str | None, baseline: str | None) -> tuple[str, str]:
    """The system and the baseline of rows that have both; they may be left out where there is one pair.

    Raises:
        UnknownName: there is no such system.
        InvalidParameter: there are several pairs.
    """
    known = pl.concat([rows["baseline"], rows["system"]]).unique().sort().to_list()
    for name in (system, baseline):
        if name is not None and name not in known:
            raise UnknownName(f"There is no system {name!r}.", nearest(name, known))
    pairs = rows.select("baseline", "system").unique(maintain_order=True).rows()
    fits = [p for p in pairs if {system, baseline} - {None} <= set(p)]
    if len(fits) != 1 or (system is not None and system == baseline):
        message = f"There are {len(fits)} pairs of systems." if len(fits) > 1 else "There is no such pair."
        hint = Hint("Name both: ", Argument("system", known[-1]), ", ", Argument("baseline", known[0]), ".")
        raise InvalidParameter(message, hint)
    one, other = fits[0]
    return (one, other) if system == one or baseline == other else (other, one)


def of_pair(rows: pl.DataFrame, system: str, baseline: str) -> pl.DataFrame:
    """Rows of a pair, in the direction named: value, value_baseline, difference = value − value_baseline."""
    forward = rows.filter((pl.col("system") == system) & (pl.col("baseline") == baseline))
    if forward.height:
        return forward
    turned = rows.filter((pl.col("system") == baseline) & (pl.col("baseline") == system))
    columns = {"system": "baseline", "baseline": "system", "value": "value_baseline", "value_baseline": "value"}
    return turned.rename(columns).with_columns(difference=-pl.col("difference"))


def differences_of(
    result: Evaluation | Comparison, measure: Any, system: str | None, baseline: str | None
) -> tuple[Comparison, str, pl.DataFrame]:
    """The comparison, the measure, and of one pair a row per unit: unit, value_baseline, value, difference."""
    comparison = compared(result)
    values = comparison.values
    name = inputs.one_measure(values, measure)
    rows = comparison.differences().filter(pl.col("measure") == name)
    rows = rows.with_columns(inputs.text("baseline"), inputs.text("system"))
    one, other = pair(rows, system, baseline)
    return comparison, name, of_pair(rows, one, other).with_columns(inputs.unit_text([*values.by, *values.unit]))
