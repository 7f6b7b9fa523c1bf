"""Values that another tool computed, as rows of the store's tables; they say whose they are."""

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
from ireval_frames.store.evaluations import Rows, canonical, encoded, measure_row, short, whole
from ireval_frames.store.tables import FORMAT
from ireval_frames.version import __version__

# Values with more decimals than this are not rounded.
MOST_DECIMALS = 8
_ROW = ("run_id", "groups", "unit_id")


@dataclass(frozen=True)
class ImportOptions:
    """How a table of values is read.

    Attributes:
        columns: what its columns are called: unit, system, measure, value.
        by: columns of groups.
        run: the run, where no column names it.
        family: that of the measures.
        rising, falling: measures that the catalog does not have, of which more or less is better.
    """

    columns: Mapping[str, str]
    by: Sequence[str]
    run: str | None
    family: str
    rising: Sequence[str]
    falling: Sequence[str]


def imported(given: Any, asked: ImportOptions) -> Rows:
    """The rows of every table.

    Args:
        given: a frame, a path or a relation.
        asked: how it is read.

    Raises:
        FileError, MalformedFile, MissingColumn, WrongType: the table is at fault.
        DuplicateRows: a unit has several values of a measure.
        InvalidValue: an id is null, or a value is infinite.
        InvalidParameter: it holds no values.
    """
    path = Path(given).expanduser() if isinstance(given, str | os.PathLike) else None
    at_home = path if path is not None and path.is_file() else None
    found = None if at_home is None else foreign(at_home, asked.family)
    if found is None:
        tool, names = "table", named(_columns_of(given), asked.columns)
        rows, by = _of_table(given, names, asked.by), columns_named(asked.by, "by")
        run, unit = asked.run, names["unit"]
    else:
        tool, by, unit = found.tool, (), UNIT
        rows = found.rows.select(
            pl.lit("").alias("run_id"), pl.lit("{}").alias("groups"), pl.col(UNIT).alias("unit_id"), MEASURE, VALUE
        )
        run = asked.run if asked.run is not None else found.run
    if at_home is not None and run is None:
        run = at_home.name.partition(".")[0]
    if run is not None:
        if (rows["run_id"] != "").any():
            if asked.run is not None:
                raise InvalidParameter(f"run={run!r} names a run, and the table names its own.", "Leave run= out.")
        else:
            rows = rows.with_columns(run_id=pl.lit(run))
    _checked(rows)
    told = _measures(rows, asked)
    rows = rows.with_columns(pl.col("measure").replace({name: row["measure"] for name, row in told.items()}))
    return _rows_of(rows, list(told.values()), tool, at_home, asked.family, unit, by)


def _columns_of(given: Any) -> list[str]:
    if isinstance(given, str | os.PathLike):
        return io.scan_table(given).collect_schema().names()
    return list(getattr(given, "columns", ()))


def _of_table(given: Any, names: Mapping[str, str], by: Sequence[str]) -> pl.DataFrame:
    """Rows of a long or wide table; columns of numbers are measures where none is called so."""
    columns = columns_of(**names, by=by)
    values = values_of(given, columns)
    rows = values.all_rows
    wide = values.system == SYSTEM != columns.system
    unit = pl.col(*values.units).cast(pl.String)
    return rows.select(
        pl.lit("").alias("run_id") if wide else pl.col(SYSTEM).cast(pl.String).alias("run_id"),
        encoded(dict(zip(values.groups, values.by, strict=True))),
        unit.alias("unit_id"),
        pl.col(SYSTEM if wide else MEASURE).cast(pl.String).alias("measure"),
        pl.col(VALUE).cast(pl.Float64).alias("value"),
    )


def _checked(rows: pl.DataFrame) -> None:
    if not rows.height:
        raise InvalidParameter("The table holds no values.", "Hand in a table that has rows with values.")
    for column in (*_ROW, "measure"):
        if rows[column].null_count():
            raise InvalidValue(
                f"{rows[column].null_count()} rows have no {column.removesuffix('_id')}.", "Leave these rows out."
            )
    if (bad := rows.filter(pl.col("value").is_infinite())).height:
        raise InvalidValue(f"{bad.height} values are infinite; the first is of the unit {bad['unit_id'][0]!r}.")
    twice = rows.filter(pl.struct(*_ROW, "measure").is_duplicated())
    if twice.height:
        first = twice.row(0, named=True)
        raise DuplicateRows(
            f"{first['measure']} has several values for the unit {first['unit_id']!r} of the run {first['run_id']!r}.",
            "Keep one of them: frame.unique([...], keep='first')",
        )


def _measures(rows: pl.DataFrame, asked: ImportOptions) -> dict[str, dict[str, Any]]:
    """What is known of each measure, by its name in the table."""
    names = rows["measure"].unique(maintain_order=True).to_list()
    for name in (*asked.rising, *asked.falling):
        if name not in names:
            raise UnknownName(f"There are no values of a measure {name!r}.", nearest(name, names))
    out: dict[str, dict[str, Any]] = {}
    taken: set[str] = set()
    for place, name in enumerate(names):
        try:
            (measure,) = parse_all(name, asked.family)
            row = measure_row(measure.to_dict(), measure.range, place)
            # trec_eval prints some measures under two names; the second keeps its own.
            if row["measure"] in taken or (name != row["measure"] and row["measure"] in names):
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
        if name in (*asked.rising, *asked.falling):
            row["higher_is_better"] = name in asked.rising
        out[name] = row
        taken.add(row["measure"])
    return out


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
    facts = {"format": FORMAT, "imported": tool, "family": family, "digest": digest["digest"], "unit": unit}
    facts |= {"measures": measures, "by": [*by]}
    found = short(facts)
    inputs = [
        {"name": "values", **digest, "columns": canonical(rows.columns), "path": None if path is None else str(path)}
    ]
    if path is not None:
        with path.open("rb") as stream:
            held = hashlib.file_digest(stream, "sha256").hexdigest()
        inputs.append({**inputs[0], "name": "file", "digest": held, "digest_kind": "file-sha256"})
    units = rows.select(_ROW).unique().sort("groups", "run_id", "unit_id")
    names = [m["measure"] for m in measures]
    values = rows.with_columns(
        status=pl.when(pl.col("value").is_null()).then(pl.lit("undefined")).otherwise(pl.lit("ok"))
    ).sort(pl.col("measure").cast(pl.Enum(names)), "groups", "run_id", "unit_id")
    told = units["run_id"].unique().sort().to_list()
    row = {
        "family": family,
        "policy": canonical({"imported": tool}),
        "unit_columns": canonical([unit]),
        "by_columns": canonical([*by]),
        "n_runs": len(told),
        "n_units": units.height,
        "n_values": rows.height,
        "versions": canonical({"ireval_frames": __version__, "polars": pl.__version__}),
        "source": tool,
        "decimals": decimals(rows["value"]),
    }
    made: dict[str, pl.DataFrame | pl.LazyFrame] = {
        "values": values,
        "units": units,
        "summaries": _summaries(values, {str(m["measure"]): str(m["aggregation"]) for m in measures}),
        "measures": pl.DataFrame(measures, infer_schema_length=None),
        "inputs": pl.DataFrame(inputs),
        "runs": pl.DataFrame({"run_id": told}),
        "queries": pl.DataFrame(schema={"query_id": pl.String, "attributes": pl.String}),
        "evaluations": pl.DataFrame([row], infer_schema_length=None),
    }
    return Rows(found, {name: whole(name, found, frame) for name, frame in made.items()})


def decimals(values: pl.Series) -> int | None:
    """How many decimals the values have; null where some have more than eight, as what is not rounded has.

    Example:
        >>> decimals(pl.Series([0.25, 0.3333])), decimals(pl.Series([1 / 3]))
        (4, None)
    """
    defined = values.drop_nulls()
    for places in range(MOST_DECIMALS + 1):
        if (defined == defined.round(places)).all():
            return places
    return None


def _summaries(values: pl.DataFrame, how: Mapping[str, str]) -> pl.DataFrame:
    """The values of every run and measure aggregated as the measure says."""
    value = pl.col("value")
    ways = {
        "mean": value.mean(),
        "sum": value.sum(),
        "geometric": value.clip(lower_bound=GEOMETRIC_FLOOR).log().mean().exp(),
        "median": value.median(),
        "min": value.min(),
        "max": value.max(),
        "std": value.std(),
    }
    parts = [
        values.filter(pl.col("measure").is_in([m for m, w in how.items() if w == way]))
        .group_by("run_id", "groups", "measure", maintain_order=True)
        .agg(told.alias("value"), n_units=pl.len().cast(pl.Int64), n_undefined=value.null_count().cast(pl.Int64))
        for way, told in ways.items()
    ]
    return pl.concat(parts)
