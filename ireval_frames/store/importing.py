"""Values that another tool computed, as rows of the store's tables."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames import io
from ireval_frames.catalog import parse_all
from ireval_frames.columns.user_names import columns_named
from ireval_frames.comparison.values.foreign import UNIT, foreign, named
from ireval_frames.comparison.values.sources import MEASURE, SYSTEM, VALUE, columns_of, values_of
from ireval_frames.engines.digests import digested
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.errors import DuplicateRows, InvalidParameter, InvalidValue, UnknownName, nearest
from ireval_frames.evaluation.summaries import GEOMETRIC_FLOOR
from ireval_frames.store.evaluations import Rows, canonical, complete, groups_json, measure_row, short
from ireval_frames.store.tables import FORMAT
from ireval_frames.version import __version__

# Values with more decimals than this are taken as not rounded.
MOST_DECIMALS = 8
_KEYS = ("run_id", "groups", "unit_id")


@dataclass(frozen=True)
class ImportOptions:
    """How a table of values is read.

    Attributes:
        columns: the names of its columns: unit, system, measure, value.
        by: columns of groups.
        run: the run, if no column names it.
        family: that of the measures.
        higher_is_better, lower_is_better: measures that the catalog does not have, of which more or less is better.
    """

    columns: Mapping[str, str]
    by: Sequence[str]
    run: str | None
    family: str
    higher_is_better: Sequence[str]
    lower_is_better: Sequence[str]


def import_rows(source: Any, options: ImportOptions) -> Rows:
    """The rows of every table.

    Args:
        source: a frame, a path or a relation.
        options: how it is read.

    Raises:
        FileError, MalformedFile, MissingColumn, WrongType: the table is at fault.
        DuplicateRows: a unit has several values of a measure.
        InvalidValue: an id is null, or a value is infinite.
        InvalidParameter: it holds no values.
    """
    path = Path(source).expanduser() if isinstance(source, str | os.PathLike) else None
    file = path if path is not None and path.is_file() else None
    output = None if file is None else foreign(file, options.family)
    if output is None:
        tool, names = "table", named(_columns_of(source), options.columns)
        rows, by = _table_rows(source, names, options.by), columns_named(options.by, "by")
        run, unit = options.run, names["unit"]
    else:
        tool, by, unit = output.tool, (), UNIT
        rows = output.rows.select(
            pl.lit("").alias("run_id"), pl.lit("{}").alias("groups"), pl.col(UNIT).alias("unit_id"), MEASURE, VALUE
        )
        run = options.run if options.run is not None else output.run
    if file is not None and run is None:
        run = file.name.partition(".")[0]
    if run is not None:
        if (rows["run_id"] != "").any():
            if options.run is not None:
                raise InvalidParameter(f"run={run!r} names a run, and the table names its own.", "Leave run= out.")
        else:
            rows = rows.with_columns(run_id=pl.lit(run))
    _check(rows)
    measures = _measures(rows, options)
    rows = rows.with_columns(pl.col("measure").replace({name: row["measure"] for name, row in measures.items()}))
    return _rows_of(rows, list(measures.values()), tool, file, options.family, unit, by)


def _columns_of(source: Any) -> list[str]:
    if isinstance(source, str | os.PathLike):
        return io.scan_table(source).collect_schema().names()
    return list(getattr(source, "columns", ()))


def _table_rows(source: Any, names: Mapping[str, str], by: Sequence[str]) -> pl.DataFrame:
    """Rows of a long or wide table; in a wide one columns of numbers are measures."""
    columns = columns_of(**names, by=by)
    values = values_of(source, columns)
    rows = values.all_rows
    wide = values.system == SYSTEM != columns.system
    unit = pl.col(*values.units).cast(pl.String)
    return rows.select(
        pl.lit("").alias("run_id") if wide else pl.col(SYSTEM).cast(pl.String).alias("run_id"),
        groups_json(dict(zip(values.groups, values.by, strict=True))),
        unit.alias("unit_id"),
        pl.col(SYSTEM if wide else MEASURE).cast(pl.String).alias("measure"),
        pl.col(VALUE).cast(pl.Float64).alias("value"),
    )


def _check(rows: pl.DataFrame) -> None:
    if not rows.height:
        raise InvalidParameter("The table holds no values.", "Pass a table that has rows with values.")
    for column in (*_KEYS, "measure"):
        if rows[column].null_count():
            raise InvalidValue(
                f"{rows[column].null_count()} rows have no {column.removesuffix('_id')}.", "Leave these rows out."
            )
    if (infinite := rows.filter(pl.col("value").is_infinite())).height:
        raise InvalidValue(
            f"{infinite.height} values are infinite; the first is of the unit {infinite['unit_id'][0]!r}."
        )
    duplicates = rows.filter(pl.struct(*_KEYS, "measure").is_duplicated())
    if duplicates.height:
        first = duplicates.row(0, named=True)
        raise DuplicateRows(
            f"{first['measure']} has several values for the unit {first['unit_id']!r} of the run {first['run_id']!r}.",
            "Keep one of them: frame.unique([...], keep='first')",
        )


def _measures(rows: pl.DataFrame, options: ImportOptions) -> dict[str, dict[str, Any]]:
    """The rows of `measures`, by the measures' names in the table."""
    names = rows["measure"].unique(maintain_order=True).to_list()
    for name in (*options.higher_is_better, *options.lower_is_better):
        if name not in names:
            raise UnknownName(f"There are no values of a measure {name!r}.", nearest(name, names))
    measures: dict[str, dict[str, Any]] = {}
    used: set[str] = set()
    for place, name in enumerate(names):
        try:
            (measure,) = parse_all(name, options.family)
            row = measure_row(measure.to_dict(), measure.range, place)
            # trec_eval prints some measures under two names; the second stays as it is.
            if row["measure"] in used or (name != row["measure"] and row["measure"] in names):
                row["measure"] = name
        except ValueError:
            row = {
                "measure": name,
                "name": name,
                "aggregation": "mean",
                "higher_is_better": None,
                "parameters": "{}",
                "place": place,
                "low": None,
                "high": None,
            }
        if name in (*options.higher_is_better, *options.lower_is_better):
            row["higher_is_better"] = name in options.higher_is_better
        measures[name] = row
        used.add(row["measure"])
    return measures


def _rows_of(
    rows: pl.DataFrame,
    measures: Sequence[Mapping[str, Any]],
    tool: str,
    path: Path | None,
    family: str,
    unit: str,
    by: Sequence[str],
) -> Rows:
    rows = rows.with_columns(pl.col("value").fill_nan(None))
    engine = PolarsEngine()
    (digest,) = digested(engine, engine.from_polars(rows), portable=True).to_dicts()
    identity = {"format": FORMAT, "imported": tool, "family": family, "digest": digest["digest"], "unit": unit}
    evaluation_id = short(identity | {"measures": measures, "by": [*by]})
    inputs = [
        {"name": "values", **digest, "columns": canonical(rows.columns), "path": None if path is None else str(path)}
    ]
    if path is not None:
        with path.open("rb") as stream:
            file_digest = hashlib.file_digest(stream, "sha256").hexdigest()
        inputs.append({**inputs[0], "name": "file", "digest": file_digest, "digest_kind": "file-sha256"})
    units = rows.select(_KEYS).unique().sort("groups", "run_id", "unit_id")
    names = [m["measure"] for m in measures]
    values = rows.with_columns(
        status=pl.when(pl.col("value").is_null()).then(pl.lit("undefined")).otherwise(pl.lit("ok"))
    ).sort(pl.col("measure").cast(pl.Enum(names)), "groups", "run_id", "unit_id")
    runs = units["run_id"].unique().sort().to_list()
    row = {
        "family": family,
        "policy": canonical({"imported": tool}),
        "unit_columns": canonical([unit]),
        "by_columns": canonical([*by]),
        "n_runs": len(runs),
        "n_units": units.height,
        "n_values": rows.height,
        "versions": canonical({"ireval_frames": __version__, "polars": pl.__version__}),
        "source": tool,
        "decimals": decimals(rows["value"]),
    }
    tables: dict[str, pl.DataFrame | pl.LazyFrame] = {
        "values": values,
        "units": units,
        "summaries": _summaries(values, {str(m["measure"]): str(m["aggregation"]) for m in measures}),
        "measures": pl.DataFrame(measures, infer_schema_length=None),
        "inputs": pl.DataFrame(inputs),
        "runs": pl.DataFrame({"run_id": runs}),
        "queries": pl.DataFrame(schema={"query_id": pl.String, "attributes": pl.String}),
        "evaluations": pl.DataFrame([row], infer_schema_length=None),
    }
    return Rows(evaluation_id, {name: complete(name, evaluation_id, frame) for name, frame in tables.items()})


def decimals(values: pl.Series) -> int | None:
    """The number of decimals of the values; None if some have more than eight, which are not rounded.

    Example:
        >>> decimals(pl.Series([0.25, 0.3333])), decimals(pl.Series([1 / 3]))
        (4, None)
    """
    defined = values.drop_nulls()
    for places in range(MOST_DECIMALS + 1):
        if (defined == defined.round(places)).all():
            return places
    return None


def _summaries(values: pl.DataFrame, aggregations: Mapping[str, str]) -> pl.DataFrame:
    """The values of every run and measure, aggregated by the aggregation of the measure."""
    value = pl.col("value")
    expressions = {
        "mean": value.mean(),
        "sum": value.sum(),
        "geometric": value.clip(lower_bound=GEOMETRIC_FLOOR).log().mean().exp(),
        "median": value.median(),
        "min": value.min(),
        "max": value.max(),
        "std": value.std(),
    }
    parts = [
        values.filter(pl.col("measure").is_in([m for m, of_measure in aggregations.items() if of_measure == name]))
        .group_by("run_id", "groups", "measure", maintain_order=True)
        .agg(expression.alias("value"), n_units=pl.len().cast(pl.Int64), n_undefined=value.null_count().cast(pl.Int64))
        for name, expression in expressions.items()
    ]
    return pl.concat(parts)
