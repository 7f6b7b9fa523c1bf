"""`ir.compare`: systems compared over values per unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ireval_frames.comparison.comparison import Comparison
from ireval_frames.comparison.options import ComparisonOptions
from ireval_frames.comparison.values.sources import Columns, HasPerUnit, columns_of, values_of
from ireval_frames.engines.base import Engine
from ireval_frames.errors import InvalidParameter


def compare(
    values: Any,
    *,
    baseline: Any = None,
    test: str | Iterable[str] = "t",
    correction: str = "holm",
    family: str = "measure",
    confidence: float = 0.95,
    alternative: str = "two-sided",
    effect: str | Iterable[str] | None = None,
    missing: str | float = "error",
    tolerance: float | None = None,
    n_resamples: int = 10_000,
    seed: int = 0,
    threads: int | None = None,
    unit: str | Sequence[str] = "query_id",
    system: str = "run_id",
    measure: str = "measure",
    value: str = "value",
    by: str | Sequence[str] = (),
    replicate: str | None = None,
    label: str | None = None,
    lower_is_better: str | Iterable[str] = (),
    engine: str | Engine | None = None,
    con: Any = None,
    storage_options: Mapping[str, Any] | None = None,
    **more: Any,
) -> Comparison:
    """Compare systems over values per unit: differences, tests, intervals and effect sizes, for every pair.

    Differences are system − baseline.  What counts as better follows the measure: an evaluation knows it, of a table
    `lower_is_better` names the measures.  Names are checked now, the values with the first result.

    Args:
        values: an evaluation of several systems, or a table: a frame, a path, a relation, or with `con` the name of a
            table or a query.  It is long (a column of values), wide by measures (a column per measure beside that of
            systems) or wide by systems (a column per system).
        baseline: the system that all others are compared with; by default every two are compared.
        test: tests by name (`ir.comparison.tests()` lists them); several give a row each.
        correction: of p-values, within a family: "holm", "bonferroni", "sidak", "holm-sidak", "hochberg", "hommel",
            "bh", "by" or "none".  Tests of all pairs at once need none.
        family: which p-values are corrected together: those of one "measure" (and group), of one "group", or "all".
        confidence: of intervals; a difference is significant if its corrected p-value is at most 1 − confidence.
        alternative: "two-sided"; "greater": the system is better than the baseline; "less": it is worse.
        effect: the effect size of the table (`ir.comparison.effects()` lists them); by default that of the test.
        missing: of units that only some systems have: "error"; "intersect": each pair is compared on the units that
            both have, tests and means of all systems on those that all have; or a number in place of missing values.
        tolerance: largest difference that counts as a tie, in wins and in tests and effect sizes of signs and signed
            ranks; by default the rounding of both values of a unit.
        n_resamples: the number of resamples of tests that cannot enumerate all cases.
        seed: of the draws.  The same seed gives the same p-values, whatever the threads, the engine, and the order of
            the rows.
        threads: how many share the draws; by default the number of cores.
        unit: the columns of a table that identify units; an evaluation knows its own.
        system: the column of systems; of an evaluation also one of its `by=`.
        measure: the column of measures, if there are several.
        value: the column of values.
        by: columns that group units; each group is compared on its own.  By default those of the evaluation.
        replicate: the column of replicates (shards, seeds), of which a unit has several values for a system: tests take
            their mean, the analysis of variance all of them.
        label: the column of the unit's class, 0 or 1, for the test "delong", of which values are scores.
        lower_is_better: the measures of a table of which less is better.
        engine: "polars", "duckdb" or "spark"; by default where the table is.
        con: a DuckDB connection or a Spark session.
        storage_options: options of the stores of remote paths.
        more: options of single tests, such as `zeros="pratt"` of "wilcoxon" or `margin=0.01` of "equivalence".

    Raises:
        UnknownName: there is no such test, correction, effect size, option, or baseline.
        InvalidParameter: a number is out of range.
        MissingColumn, WrongType, InvalidValue, DuplicateRows, MismatchedTables: the table has errors; those of the data
            are raised with the first result.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> values = [0.5, 0.25, 0.5, 0.75, 0.25, 0.5, 0.75, 1.0]
        >>> frame = pl.DataFrame({"run_id": [*"aaaabbbb"], "query_id": [1, 2, 3, 4] * 2, "value": values})
        >>> c = ir.compare(frame)
        >>> c.table().select("baseline", "system", "n", "difference", "wins", "losses").row(0)
        ('a', 'b', 4, 0.125, 3, 1)
        >>> c.table().select(pl.col("statistic", "p_value").round(4)).row(0)
        (1.0, 0.391)
    """
    options = ComparisonOptions.parse(
        test=test,
        effect=effect,
        baseline=baseline,
        correction=correction,
        family=family,
        confidence=confidence,
        alternative=alternative,
        missing=missing,
        tolerance=tolerance,
        n_resamples=n_resamples,
        seed=seed,
        threads=threads,
        more=more,
    )
    columns: Columns = columns_of(
        unit=unit, system=system, measure=measure, value=value, by=by, replicate=replicate, label=label
    )
    if lower_is_better and isinstance(values, HasPerUnit):
        name = "lower_is_better"
        raise InvalidParameter(f"{name} is of tables; an evaluation knows its own.", f"Leave out {name}=.")
    per_unit = values_of(
        values,
        columns,
        lower_is_better=lower_is_better,
        engine=engine,
        con=con,
        storage_options=storage_options,
    )
    return Comparison(per_unit, options)
