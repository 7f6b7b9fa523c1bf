"""An evaluation as rows of the store's tables, and its id."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.engines.digests import digested
from ireval_frames.errors import InvalidParameter, NotDefined
from ireval_frames.evaluation.evaluation import Evaluation, units_with_counts
from ireval_frames.evaluation.systems import planned_of, tables_of
from ireval_frames.io.run_header import header
from ireval_frames.io.storage.places import Located, as_text, is_remote
from ireval_frames.io.storage.source import files
from ireval_frames.store.tables import FORMAT, TABLES
from ireval_frames.subject import request_of

# Increased when a release gives other values for the same tables, measures and conventions.
NUMBERS = 1
RUNS = ("run_id", "ranking")
STATUSES = pl.Enum(["ok", "undefined", "missing"])


@dataclass(frozen=True)
class Rows:
    """An evaluation as rows.

    Attributes:
        id: its id.
        tables: the rows of each table.
    """

    id: str
    tables: Mapping[str, pl.DataFrame | pl.LazyFrame]


# Conventions that ids do not depend on at these values, since older releases did not have them.
NOT_IN_IDS = {"overlap": ("error", "allow"), "own_document": ("keep",), "units": ("error",)}


def canonical(value: Any) -> str:
    """A value as JSON that is the same for the same value."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)


def short(value: Any) -> str:
    """Sixteen hexadecimal digits that identify a value."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:16]


def groups_json(by: Mapping[str, str]) -> pl.Expr:
    """The column `groups`: columns as JSON, by the names given to them."""
    columns = [pl.col(k).alias(n) for k, n in by.items()]
    return (pl.struct(columns).struct.json_encode() if columns else pl.lit("{}")).alias("groups")


class UnitKeys:
    """The keys of an evaluation's units, in the store's columns."""

    def __init__(self, evaluation: Evaluation, run: str | None) -> None:
        planned = planned_of(evaluation)
        names = {k: planned.named.get(k, k) for k in planned.keys}
        self.runs = [k for k in planned.groups if names[k] in RUNS][:1]
        if self.runs and run is not None:
            raise InvalidParameter(
                f"run={run!r} names a run, and the evaluation names its own.",
                "Leave run= out, or name it in the table.",
            )
        self.by = {k: names[k] for k in planned.groups if k not in self.runs}
        self.unit = {k: names[k] for k in planned.keys if k not in planned.groups}
        self._run = run or ""
        self._keys = {names[k]: k for k in planned.groups}

    def rename(self, frame: pl.DataFrame) -> pl.DataFrame:
        """A frame with our names of the groups in place of the user's."""
        return frame.rename({name: key for name, key in self._keys.items() if name in frame.columns})

    def run_id(self) -> pl.Expr:
        """The run."""
        return (pl.col(self.runs[0]).cast(pl.String) if self.runs else pl.lit(self._run)).alias("run_id")

    def groups(self) -> pl.Expr:
        """The group of units, as JSON."""
        return groups_json(self.by)

    def unit_id(self) -> pl.Expr:
        """The unit, as text."""
        if len(self.unit) == 1:
            return pl.col(*self.unit).cast(pl.String).alias("unit_id")
        if not self.unit:
            return pl.lit("").alias("unit_id")
        return pl.struct(pl.col(k).alias(n) for k, n in self.unit.items()).struct.json_encode().alias("unit_id")


@dataclass(frozen=True)
class Identified:
    """The identity of an evaluation.

    Attributes:
        id: sixteen hexadecimal digits.
        keys: those of its units.
        measures: rows of `measures`.
        inputs, runs: the digests of its tables, and of the runs in them.
    """

    id: str
    keys: UnitKeys
    measures: Sequence[Mapping[str, Any]]
    inputs: pl.DataFrame
    runs: pl.DataFrame


def identify(evaluation: Evaluation, *, run: str | None = None, portable: bool = False) -> Identified:
    """The identity of an evaluation; its tables are read, its measures are not computed.

    Raises:
        NotDefined: it is not one of tables.
    """
    if evaluation.subject is None:
        raise NotDefined("This evaluation does not know its tables.", "Evaluate a subject: ir.Rankings(…).evaluate(…)")
    keys = UnitKeys(evaluation, run)
    inputs, runs = _inputs(evaluation, keys, portable=portable)
    measures = [measure_row(m.to_dict(), m.range, i) for i, m in enumerate(evaluation.measures)]
    identity = {
        "format": FORMAT,
        "numbers": NUMBERS,
        "family": evaluation.family,
        "measures": [m["measure"] for m in measures],
        "policy": {k: v for k, v in evaluation.provenance["policy"].items() if v not in NOT_IN_IDS.get(k, ())},
        "inputs": inputs.select("name", "digest", "digest_kind").rows(),
        "runs": runs.select("run_id", "digest").rows() if runs.height else [run or ""],
        "unit": [*keys.unit.values()],
        "by": [*keys.by.values()],
    }
    return Identified(short(identity), keys, measures, inputs, runs)


def rows_of(
    evaluation: Evaluation,
    *,
    run: str | None = None,
    queries: pl.DataFrame | None = None,
    portable: bool = False,
) -> Rows:
    """The rows of every table.

    Args:
        evaluation: the evaluation.
        run: the name of its run, if it has no column of runs.
        queries: query_id and further columns.
        portable: digests are of the sorted rows, however many.

    Raises:
        NotDefined: it is not one of tables.
    """
    identity = identify(evaluation, run=run, portable=portable)
    keys, provenance, summary = identity.keys, evaluation.provenance, _summary(evaluation, identity.keys)
    names = [*summary["run_id"].unique(maintain_order=True)]
    source = request_of(evaluation).user_tables.get("run")
    headers = {} if evaluation.engine.names_table(source) else run_headers(source)
    runs = pl.DataFrame({"run_id": names}, schema={"run_id": pl.String}).join(identity.runs, on="run_id", how="left")
    runs = runs.with_columns(metadata=pl.Series([headers.get(name) for name in names], dtype=pl.String))
    units = units_with_counts(evaluation).with_columns(keys.run_id(), keys.groups(), keys.unit_id())
    units = units.sort("groups", "run_id", "unit_id", nulls_last=True)
    counts = [c for c in TABLES["units"].columns if c in units.columns]
    row = {
        "family": evaluation.family,
        "policy": canonical(provenance["policy"]),
        "unit_columns": canonical([*keys.unit.values()]),
        "by_columns": canonical([*keys.by.values()]),
        "n_runs": len(names),
        "n_units": units.height,
        "n_values": units.height * len(identity.measures),
        "versions": canonical({k: provenance[k] for k in ("ireval_frames", "polars", "python", "engine")}),
    }
    tables: dict[str, pl.DataFrame | pl.LazyFrame] = {
        "values": values_of(units, [m["measure"] for m in identity.measures]),
        "units": units.select(counts),
        "summaries": summary,
        "measures": pl.DataFrame(identity.measures, schema_overrides=dict(_MEASURES)),
        "inputs": identity.inputs,
        "runs": runs,
        "queries": _queries(queries),
        "evaluations": pl.DataFrame([row]),
    }
    return Rows(identity.id, {name: complete(name, identity.id, frame) for name, frame in tables.items()})


def complete(name: str, evaluation_id: str, frame: pl.DataFrame | pl.LazyFrame) -> pl.DataFrame | pl.LazyFrame:
    """The rows with all columns of the table."""
    frame = frame.with_columns(evaluation_id=pl.lit(evaluation_id))
    present = frame.collect_schema().names()
    return frame.with_columns(**{c: pl.lit(None, dtype=t) for c, t in TABLES[name].schema.items() if c not in present})


def measure_row(measure: Mapping[str, Any], range: tuple[float, float], place: int) -> dict[str, Any]:
    """The row of a measure in `measures`."""
    columns = {n: measure[n] for n in ("measure", "name", "aggregation", "higher_is_better")}
    parameters = canonical(measure["parameters"])
    return {**columns, "parameters": parameters, "place": place, "low": range[0], "high": range[1]}


def values_of(units: pl.DataFrame, names: Sequence[str]) -> pl.LazyFrame:
    """A row per unit and measure, sorted by measure, which compresses best."""
    missing = pl.col("n_retrieved") == 0 if "n_retrieved" in units.columns else pl.lit(value=False)
    parts = []
    for i, name in enumerate(names):
        value = pl.col(f"m{i}").fill_nan(None)
        status = (
            pl.when(missing)
            .then(pl.lit("missing"))
            .when(value.is_null())
            .then(pl.lit("undefined"))
            .otherwise(pl.lit("ok"))
        )
        parts.append(
            units.lazy().select("run_id", "groups", "unit_id", measure=pl.lit(name), value=value, status=status)
        )
    return pl.concat(parts)


def _summary(evaluation: Evaluation, keys: UnitKeys) -> pl.DataFrame:
    frame = keys.rename(evaluation.summary())
    return frame.select(keys.run_id(), keys.groups(), "measure", "value", "n_units", "n_undefined")


def _inputs(evaluation: Evaluation, keys: UnitKeys, *, portable: bool) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The digests of the tables, and of the runs in them."""
    engine, sources = evaluation.engine, request_of(evaluation).user_tables
    rows, runs = [], pl.DataFrame(schema={"run_id": pl.String, **_DIGEST})
    tables = tables_of(evaluation)
    groups = {name: [c for c in keys.runs if c in f.columns and name == "run"] for name, f in tables.items()}

    def digest(name: str) -> pl.DataFrame:
        with engine.errors():
            sums = partial(planned_of(evaluation).sums, name)
            return digested(engine, tables[name], groups[name], portable=portable, sums=sums)

    # A run has many rows, which Polars reads while the few judgments are sorted; connections are for one thread.
    with ThreadPoolExecutor() as threads:
        each = threads.map if engine.in_process else map
        digests = dict(zip(tables, each(digest, tables), strict=True))
    for name, frame in tables.items():
        by, table = groups[name], digests[name]
        if by:
            runs = table.rename({by[0]: "run_id"}).with_columns(pl.col("run_id").cast(pl.String)).sort("run_id")
            # The digest of a table of several runs is that of their names and digests.
            kind = "+".join(sorted({*table["digest_kind"]}))
            row = {"n_rows": int(table["n_rows"].sum()), "digest": short(runs.rows()), "digest_kind": kind}
        else:
            row = table.row(0, named=True)
            if name == "run":
                runs = table.with_columns(keys.run_id())
        path = sources.get(name)
        path = as_text(str(path)) if isinstance(path, str | Path | Located) and not engine.names_table(path) else None
        rows.append({"name": name, **row, "columns": canonical(sorted(frame.columns)), "path": path})
    schema = {n: t for n, t in TABLES["inputs"].schema.items() if n != "evaluation_id"}
    return pl.DataFrame(rows, schema=schema), runs.select("run_id", *_DIGEST)


_MEASURES = {n: t for n, t in TABLES["measures"].schema.items() if n != "evaluation_id"}
_DIGEST = {"n_rows": pl.Int64, "digest": pl.String, "digest_kind": pl.String}


def _queries(queries: pl.DataFrame | None) -> pl.DataFrame:
    if queries is None:
        return pl.DataFrame(schema={"query_id": pl.String, "attributes": pl.String})
    rest = [c for c in queries.columns if c != "query_id"]
    attributes = pl.struct(rest).struct.json_encode() if rest else pl.lit("{}")
    return queries.select(pl.col("query_id").cast(pl.String), attributes=attributes)


def run_headers(source: Any) -> dict[str, str]:
    """The headers of run files, by the names of the runs; empty for tables that are not local files.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "bm25.txt")
        >>> lines = ["# ir_metadata.start", "# tag: bm25", "# ir_metadata.end", "1 Q0 d1 1 2.5 bm25", ""]
        >>> _ = path.write_text(chr(10).join(lines))
        >>> run_headers(str(path))
        {'bm25': 'tag: bm25'}
    """
    paths = source if isinstance(source, list | tuple) else [source]
    if not all(isinstance(p, str | Path) for p in paths) or any(isinstance(p, Located) for p in paths):
        return {}
    if any(str(p) == "-" or is_remote(p) or ":" in str(p).split("/")[0] for p in paths):
        return {}
    headers = {}
    for file in files(source):
        if file.path.is_file() and file.path.suffix not in (".parquet", ".pq", ".arrow", ".feather", ".ipc"):
            text = header(file.path)
            if text is not None:
                headers[file.stem] = text
    return headers
