"""`ir.replication.reproduction`: an original and its replica over values per unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ireval_frames.comparison.values.sources import columns_of, values_of
from ireval_frames.engines.base import Engine
from ireval_frames.engines.opening import open_engine
from ireval_frames.errors import InvalidParameter
from ireval_frames.replication.options import ReproductionOptions
from ireval_frames.replication.rankings import Runs
from ireval_frames.replication.reproduction import Reproduction


def reproduction(
    original: Any,
    replica: Any,
    *,
    baseline: Any = None,
    systems: Mapping[Any, Any] | None = None,
    margin: float | Mapping[str, float] | None = None,
    design: str | None = None,
    confidence: float = 0.95,
    missing: str | float = "error",
    runs: tuple[Any, Any] | None = None,
    unit: str | Sequence[str] = "query_id",
    system: str = "run_id",
    measure: str = "measure",
    value: str = "value",
    by: str | Sequence[str] = (),
    lower_is_better: str | Iterable[str] = (),
    engine: str | Engine | None = None,
    con: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Reproduction:
    """Compare an experiment with its replica: scores, effects between systems, rankings of systems, document lists.

    Measures, systems, groups and units are matched by their names, never by the order of rows.  Units of one name are
    the same (reproducibility: the same queries) unless design="unpaired"; if no name is shared, they are different ones
    (replicability: other queries), which are compared as independent samples.

    Args:
        original: an evaluation, or a table of values per unit, as for `ir.compare`.
        replica: the same of the replica, with the same names of columns.
        baseline: the system to which effects are differences; by default all pairs of systems.
        systems: the original's systems → the replica's; by default those with equal names, or the only one of each.
        margin: the largest difference between replica and original that counts as equivalent, in units of the measure:
            a number, or one per measure.
        design: "paired": units of one name are the same; "unpaired": they are not.
        confidence: of intervals, above 0.5; tests of equivalence are at α = 1 − confidence.
        missing: how units count that only one side or only some systems have: "error"; "intersect": only units of both
            are compared; or a number that replaces missing values.
        runs: the runs of both, for `rankings()`; evaluations of rankings have theirs.
        unit: the columns of units of tables; an evaluation has its own.
        system: the column of systems.
        measure: the column of measures, if there are several.
        value: the column of values.
        by: columns that group units; each group is compared separately.
        lower_is_better: the measures of tables for which lower is better; an evaluation has its own.
        engine: "polars", "duckdb" or "spark"; by default where each table is.
        con: a DuckDB connection or a Spark session.
        storage_options: options of the stores of remote paths.

    Raises:
        UnknownName, InvalidParameter: an option is not allowed.
        MissingColumn, WrongType, InvalidValue, DuplicateRows: a table is wrong; of its data with the first
            result.
        MismatchedTables: with the first result, they have no measure, no system or no unit in common, or not the same
            units.

    Source: Breuer et al., How to Measure the Reproducibility of System-oriented IR Experiments, SIGIR 2020.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> first = pl.DataFrame({"query_id": [1, 2, 3, 4], "bm25": [0.5, 0.1, 0.4, 0.6], "ours": [0.6, 0.3, 0.4, 0.9]})
        >>> again = pl.DataFrame({"query_id": [4, 3, 2, 1], "bm25": [0.6, 0.4, 0.1, 0.5], "ours": [0.8, 0.4, 0.3, 0.6]})
        >>> r = ir.replication.reproduction(first, again, margin=0.1)
        >>> r.table().select("system", pl.col("difference", "rmse", "nrmse").round(4), "equivalent").rows()
        [('bm25', 0.0, 0.0, 0.0, True), ('ours', -0.025, 0.05, 0.0704, True)]
        >>> r.effects().select(pl.col("effect_ratio", "relative_difference").round(4)).rows()
        [(0.8333, 0.0625)]
    """
    options = ReproductionOptions.parse(
        baseline=baseline, systems=systems, design=design, margin=margin, confidence=confidence, missing=missing
    )
    columns = columns_of(unit=unit, system=system, measure=measure, value=value, by=by)
    options_of_tables: dict[str, Any] = {"lower_is_better": lower_is_better, "engine": engine, "con": con}
    sides = [
        values_of(side, columns, **options_of_tables, storage_options=storage_options) for side in (original, replica)
    ]
    pair_of_runs = None
    if runs is not None:
        if not (isinstance(runs, Sequence) and not isinstance(runs, str) and len(runs) == 2):
            raise InvalidParameter(
                f"runs is {type(runs).__name__}; it must be two tables.", "Write runs=(run, replica_run)."
            )
        pair_of_runs = Runs(*runs, open_engine(runs[0], engine, con), {})
    return Reproduction(sides[0], sides[1], options, (original, replica), pair_of_runs)
