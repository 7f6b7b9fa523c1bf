"""The possible differences of two lists once the documents without a judgment are judged."""

from __future__ import annotations

import polars as pl

from ireval_frames.comparison.diagnosis_tables import is_system
from ireval_frames.declaration import Measure
from ireval_frames.errors import NotDefined
from ireval_frames.expr import col, when
from ireval_frames.ranking.bounds.bounded import bounded
from ireval_frames.ranking.bounds.tables import Options
from ireval_frames.ranking.diagnosis.lists import TwoLists
from ireval_frames.ranking.inputs.facets import reads
from ireval_frames.ranking.sampled.checks import reads_samples
from ireval_frames.ranking.values import final
from ireval_frames.results import TableQuery


def bounds_of_difference(both: TwoLists, measure: Measure, options: Options) -> TableQuery:
    """Per query, the numbers of documents without a judgment, the difference, and its bounds.

    Raises:
        NotDefined: the measure reads judgments by subtopic or assessor, or estimates from a sample of them.
    """
    if reads_samples(measure):
        raise NotDefined(
            f"{measure} estimates what was not judged from a sample, so it has no bounds over all ways to judge it.",
            "Use a measure of plain grades, or ev.sampling_intervals().",
        )
    if reads([measure]):
        raise NotDefined(
            f"{measure} reads judgments by subtopic or assessor, and a newly judged document would need several.",
            "Use a measure of plain grades.",
        )
    to_grade, units, table = options.of(both, [measure]), both.units, both.table
    values_now = []
    for system in (both.pair.baseline, both.pair.system):
        of_units = both.tables.units
        with both.plan.requesting(str(measure)):
            value = of_units.column(final(measure, both.tables).cast(pl.Float64))
        values_now.append(of_units.max(of_units.column(when(is_system(system)).then(value)), into=units))
    counts = dict(zip(("n_unjudged_baseline", "n_unjudged"), to_grade.of_lists, strict=True))
    columns = {name: table.sum(flag, into=units).fill_null(0.0).cast(pl.Int64) for name, flag in counts.items()}
    columns["n_unjudged_either"] = to_grade.number.cast(pl.Int64)
    columns["value_0"] = units.column(values_now[1] - values_now[0])
    values = units.frame().select(query_id=col("query_id"), **columns)
    of = bounded(to_grade, [measure], values, options.assignments)
    (bound,) = of.bounds
    shown = {name: col(name) for name in columns if name != "value_0"}
    frame = of.table.frame().select(
        query_id=col("query_id"), **shown, difference=col("value_0"),
        lowest=bound.low, highest=bound.high, exact=bound.exact == 1,
    )  # fmt: skip
    return TableQuery(of.plan, frame, ("query_id",), frame.columns, [both.plan.check, *of.checks, of.plan.check])
