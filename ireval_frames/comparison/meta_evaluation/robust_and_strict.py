"""Meta-evaluation: how robust and how strict measures are, over the outputs of many systems for many topics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames.comparison.values.sources import SYSTEM, HasPerUnit, columns_of, values_of
from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.errors import InvalidParameter, InvalidValue, NotDefined, UnknownName, listed, nearest
from ireval_frames.parameters import choice

CORRELATIONS = ("pearson", "spearman", "kendall")
SCALES = ("raw", "quantile")
# Differences of values of a topic up to this are the rounding of means.
ROUNDING = 1e-12


@dataclass(frozen=True)
class _Outputs:
    """Values of measures: a row per group, measure, system and topic."""

    frame: pl.DataFrame
    by: tuple[str, ...]
    unit: tuple[str, ...]
    lower_is_better: tuple[str, ...]
    """The measures of which less is better."""


def robustness(
    values: HasPerUnit | Any,
    *,
    correlation: str = "pearson",
    unit: str | Sequence[str] = "query_id",
    by: str | Sequence[str] = (),
) -> pl.DataFrame:
    """The mean correlation of the systems' scores, over all pairs of topics.

    A measure is robust if its scores of systems on one topic agree with those on another:
    robustness(m) = mean over t < t′ of corr_s(m(s,t), m(s,t′)).  It is computed without making the pairs: standardised
    scores z have Σ_{t≠t′} corr = Σ_s (Σ_t z)² − T, and signs of pairs of systems give Kendall's τ_b in the same way.

    Args:
        values: an `Evaluation` of several systems, or a frame of run_id, query_id, measure, value.
        correlation: "pearson", "spearman" (of midranks), or "kendall" (τ_b).
        unit: the columns of a frame that name a topic; an `Evaluation` knows its own.
        by: columns that group topics; of an `Evaluation`, its own.

    Returns:
        [by …] measure robustness n_systems n_topics n_constant.  From −1 to 1, higher is better.  Topics for
        which a measure is undefined for all systems are left out, then systems for which it is undefined
        somewhere; n_constant topics, on which all systems score the same, correlate with nothing and are left out
        too.  Null for fewer than two topics.

    Raises:
        MissingColumn, WrongType, InvalidValue: the frame lacks columns, or holds a row twice.
        NotDefined: the evaluation is of one system.
        UnknownName: there is no such correlation.

    Source: Amigó, Gonzalo and Verdejo, SIGIR 2013.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> values = [0.1, 0.2, 0.3, 0.5, 0.4, 0.9]
        >>> frame = pl.DataFrame(
        ...     {"run_id": [*"abcabc"], "query_id": [1, 1, 1, 2, 2, 2], "measure": "AP", "value": values}
        ... )
        >>> ir.comparison.robustness(frame)["robustness"].round(4).to_list()
        [0.7559]
    """
    choice(*CORRELATIONS).check("correlation", correlation)
    outputs = _outputs(values, unit, by)
    group = [*outputs.by, "measure"]
    order = outputs.frame.select(*group).unique(maintain_order=True)
    defined = outputs.frame.filter(pl.col("value").is_not_null())
    topics = pl.struct(*outputs.unit)
    complete = defined.with_columns(_topics=topics.n_unique().over(group)).filter(
        topics.n_unique().over(*group, "run_id") == pl.col("_topics")
    )
    topic = [*group, *outputs.unit]
    vectors, n = _vectors(complete, topic, correlation)
    # The element is a system, or a pair of them; of each the sum over topics is taken, once.
    length = pl.col("_x").pow(2).sum().over(topic)
    constant = pl.col("_spread").max().over(topic) <= ROUNDING
    unit_vectors = vectors.with_columns(_constant=constant, _z=pl.when(~constant).then(pl.col("_x") / length.sqrt()))
    sums = (
        unit_vectors.group_by(*group, *n, maintain_order=True)
        .agg(_sum=in_order(pl.col("_z").sum()))
        .group_by(*group, maintain_order=True)
        .agg(_squares=in_order(pl.col("_sum").pow(2).sum()))
    )
    used = pl.col("n_topics").cast(pl.Float64) - pl.col("n_constant")
    counts = complete.group_by(*group, maintain_order=True).agg(
        n_systems=pl.col("run_id").n_unique().cast(pl.Int64), n_topics=topics.n_unique().cast(pl.Int64)
    )
    constants = (
        unit_vectors.group_by(topic, maintain_order=True)
        .agg(pl.col("_constant").first())
        .group_by(*group, maintain_order=True)
        .agg(n_constant=pl.col("_constant").sum().cast(pl.Int64))
    )
    out = order.join(counts, on=group, how="left", nulls_equal=True, maintain_order="left")
    out = out.join(sums, on=group, how="left", nulls_equal=True, maintain_order="left").join(
        constants, on=group, how="left", nulls_equal=True, maintain_order="left"
    )
    out = out.with_columns(pl.col("n_systems", "n_topics", "n_constant").fill_null(0))
    mean = pl.when(used > 1).then((pl.col("_squares") - used) / (used * (used - 1.0)))
    return out.select(*group, robustness=mean, n_systems="n_systems", n_topics="n_topics", n_constant="n_constant")


def _vectors(complete: pl.DataFrame, topic: Sequence[str], correlation: str) -> tuple[pl.DataFrame, list[str]]:
    """Centred values `_x` of every topic by element, their spread, and the columns that identify an element."""
    if correlation == "kendall":
        left = complete.select(*topic, "run_id", _left="value")
        pairs = left.join(
            left.rename({"run_id": "_other", "_left": "_right"}), on=[*topic], how="inner", nulls_equal=True
        )
        sign = (pl.col("_left") - pl.col("_right")).sign()
        # Every pair of systems occurs twice, with both signs, which changes no correlation.
        return pairs.filter(pl.col("run_id") != pl.col("_other")).with_columns(_x=sign, _spread=sign.abs()), [
            "run_id",
            "_other",
        ]
    value = pl.col("value")
    if correlation == "spearman":
        value = value.rank("average").over(topic)
    spread = pl.col("_value").max().over(topic) - pl.col("_value").min().over(topic)
    centred = pl.col("_value") - pl.col("_value").mean().over(topic)
    return complete.with_columns(_value=value).with_columns(_x=centred, _spread=spread), ["run_id"]


def strictness(
    values: HasPerUnit | Any,
    *,
    scale: str = "raw",
    lower_is_better: str | Iterable[str] = (),
    unit: str | Sequence[str] = "query_id",
    by: str | Sequence[str] = (),
) -> pl.DataFrame:
    """How much higher a measure scores an output than another measure: the largest m(o) − m′(o).

    Over all outputs o (a system's for a topic) and all other measures m′.  A strict measure has a small value: what it
    scores high, every measure scores high.

    Args:
        values: an `Evaluation` of several measures, or a frame of run_id, query_id, measure, value.
        scale: "raw" compares the values as they are, which wants measures from 0 to 1; "quantile"
            compares the quantile of an output among all outputs by each measure, from 0 for the lowest to 1
            for the highest, ties in the middle.
        lower_is_better: names of measures of which less is better: 1 − value is used.  An `Evaluation`
            knows its own.
        unit: the columns of a frame that name a topic; an `Evaluation` knows its own.
        by: columns that group topics; of an `Evaluation`, its own.

    Returns:
        [by …] measure strictness run_id, the topic, value, other, other_value: the output and the other measure that
        show it (of several, the first by run and topic).  Lower is stricter; a measure below all others on every output
        has a negative one.  Undefined values are left out; null where there is no other measure.

    Raises:
        MissingColumn, WrongType, InvalidValue: the frame lacks columns, or holds a row twice.
        InvalidParameter: raw values outside 0 and 1.
        UnknownName: there is no such scale or measure.

    Source: Amigó, Gonzalo and Verdejo, SIGIR 2013.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> measures, values = ["AP", "AP", "RR", "RR"], [0.5, 0.25, 1.0, 0.5]
        >>> frame = pl.DataFrame({"run_id": "a", "query_id": [1, 2, 1, 2], "measure": measures, "value": values})
        >>> ir.comparison.strictness(frame).select("measure", "strictness", "query_id").rows()
        [('AP', -0.25, 2), ('RR', 0.5, 1)]
    """
    choice(*SCALES).check("scale", scale)
    outputs = _outputs(values, unit, by)
    names = outputs.frame["measure"].unique(maintain_order=True).to_list()
    reversed_measures = {
        *outputs.lower_is_better,
        *([lower_is_better] if isinstance(lower_is_better, str) else lower_is_better),
    }
    for name in reversed_measures:
        if name not in names:
            raise UnknownName(f"There are no values of a measure {name!r}.", nearest(name, names))
    group, output = [*outputs.by, "measure"], [*outputs.by, "run_id", *outputs.unit]
    order = outputs.frame.select(*group).unique(maintain_order=True)
    defined = outputs.frame.filter(pl.col("value").is_not_null())
    oriented = (
        pl.when(pl.col("measure").is_in(sorted(reversed_measures))).then(1.0 - pl.col("value")).otherwise("value")
    )
    scaled = defined.with_columns(value=oriented)
    if scale == "quantile":
        n = pl.len().over(group)
        scaled = scaled.with_columns(
            value=pl.when(n > 1).then((pl.col("value").rank("average").over(group) - 1.0) / (n - 1.0)).otherwise(0.5)
        )
    else:
        _within(scaled)
    # The lowest other measure is the lowest of all, or, for that one itself, the next.
    lowest = scaled.sort("value", "measure").with_columns(
        _first=pl.col("measure").first().over(output),
        _low=pl.col("value").first().over(output),
        _second=pl.col("measure").get(1, null_on_oob=True).over(output),
        _next=pl.col("value").get(1, null_on_oob=True).over(output),
    )
    itself = pl.col("measure") == pl.col("_first")
    lowest = lowest.with_columns(
        other=pl.when(itself).then("_second").otherwise("_first"),
        other_value=pl.when(itself).then("_next").otherwise("_low"),
    ).filter(pl.col("other").is_not_null())
    lowest = lowest.with_columns(strictness=pl.col("value") - pl.col("other_value"))
    largest = lowest.sort(
        "strictness", "run_id", *outputs.unit, descending=[True, False, *(False for _ in outputs.unit)]
    )
    best = largest.unique(group, keep="first", maintain_order=True)
    columns = ["strictness", "run_id", *outputs.unit, "value", "other", "other_value"]
    return order.join(best.select(*group, *columns), on=group, how="left", nulls_equal=True, maintain_order="left")


def _within(scaled: pl.DataFrame) -> None:
    """Refuse values that no common scale holds.

    Raises:
        InvalidParameter: values below 0 or above 1.
    """
    outside = scaled.filter(~pl.col("value").is_between(-ROUNDING, 1.0 + ROUNDING))
    if outside.height:
        name, value = outside["measure"][0], outside["value"][0]
        raise InvalidParameter(
            f"{name} has the value {value:g}, outside 0 and 1, so raw differences mean nothing.",
            'Write scale="quantile".',
        )


def _outputs(values: Any, unit: str | Sequence[str], by: str | Sequence[str]) -> _Outputs:
    per_unit = values_of(values, columns_of(unit=unit, system="run_id", by=by))
    if per_unit.system is None:
        raise NotDefined("These values are of one system.", "Evaluate a table of several systems (run_id).")
    frame = per_unit.all_rows.rename({**per_unit.named, SYSTEM: "run_id"})
    key = [*per_unit.by, "measure", "run_id", *per_unit.unit]
    repeated = frame.filter(pl.struct(key).is_duplicated())
    if repeated.height:
        row = repeated.row(0, named=True)
        raise InvalidValue(
            f"There are several values of {row['measure']} for the same output ({listed(row[k] for k in key)}).",
            "Keep one of them.",
        )
    return _Outputs(frame.select(*key, "value"), per_unit.by, per_unit.unit, per_unit.lower_is_better)
