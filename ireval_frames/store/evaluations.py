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
from ireval_frames.evaluation.systems import planned_of
from ireval_frames.io.run_header import header
from ireval_frames.io.storage.places import Located, as_text, is_remote
from ireval_frames.io.storage.source import files
from ireval_frames.store.tables import FORMAT, TABLES
from ireval_frames.subject import request_of

# Raised when a release gives other values for the same tables, measures and conventions.
NUMBERS = 1
RUNS = ("run_id", "ranking")
STATUSES = pl.Enum(["ok", "undefined", "missing"])


@dataclass(frozen=True)
class Rows:
    """What is written of an evaluation.

    Attributes:
        id: its id.
        tables: the rows of each table.
    """

    id: str
    tables: Mapping[str, pl.DataFrame | pl.LazyFrame]


# Conventions that came after stores were kept, and the values under which numbers are what they were: an evaluation is
# known by the same id as before.
AS_BEFORE = {"overlap": ("error", "allow"), "own_document": ("keep",), "units": ("error",)}


def canonical(value: Any) -> str:
    """A value as JSON that is the same for the same value."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)


def short(value: Any) -> str:
    """Sixteen hexadecimal digits that name a value."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:16]


def encoded(by: Mapping[str, str]) -> pl.Expr:
    """The column `groups`: columns as JSON under the names that they are to have."""
    columns = [pl.col(k).alias(n) for k, n in by.items()]
    return (pl.struct(columns).struct.json_encode() if columns else pl.lit("{}")).alias("groups")


class Keyed:
    """What tells the units of an evaluation apart, in the store's columns."""

    def __init__(self, evaluation: Evaluation, run: str | None) -> None:
        planned = planned_of(evaluation)
        named = {k: planned.named.get(k, k) for k in planned.keys}
        self.runs = [k for k in planned.groups if named[k] in RUNS][:1]
        if self.runs and run is not None:
            raise InvalidParameter(
                f"run={run!r} names a run, and the evaluation names its own.",
                "Leave run= out, or name it in the table.",
            )
        self.by = {k: named[k] for k in planned.groups if k not in self.runs}
        self.unit = {k: named[k] for k in planned.keys if k not in planned.groups}
        self._run = run or ""

    def run_id(self) -> pl.Expr:
        """The run."""
        return (pl.col(self.runs[0]).cast(pl.String) if self.runs else pl.lit(self._run)).alias("run_id")

    def groups(self) -> pl.Expr:
        """The group of units, as JSON."""
        return encoded(self.by)

    def unit_id(self) -> pl.Expr:
        """The unit, as text."""
        if len(self.unit) == 1:
            return pl.col(*self.unit).cast(pl.String).alias("unit_id")
        if not self.unit:
            return pl.lit("").alias("unit_id")
        return pl.struct(pl.col(k).alias(n) for k, n in self.unit.items()).struct.json_encode().alias("unit_id")


@dataclass(frozen=True)
class Identified:
    """What an evaluation is of, and the id that follows from it.

    Attributes:
        id: sixteen hexadecimal digits.
        keyed: what tells its units apart.
        measures: rows of `measures`.
        inputs, runs: the digests of its tables, and of the runs in them.
    """

    id: str
    keyed: Keyed
    measures: Sequence[Mapping[str, Any]]
    inputs: pl.DataFrame
    runs: pl.DataFrame


def identified(evaluation: Evaluation, *, run: str | None = None, portable: bool = False) -> Identified:
    """What an evaluation is of; its tables are read, its measures are not computed.

    Raises:
        NotDefined: it is made of something else than tables.
    """
    if evaluation.subject is None:
        raise NotDefined("This evaluation does not know its tables.", "Evaluate a subject: ir.Rankings(…).evaluate(…)")
    keyed = Keyed(evaluation, run)
    inputs, runs = _inputs(evaluation, keyed, portable=portable)
    measures = [measure_row(m.to_dict(), m.range, i) for i, m in enumerate(evaluation.measures)]
    facts = {
        "format": FORMAT,
        "numbers": NUMBERS,
        "family": evaluation.family,
        "measures": [m["measure"] for m in measures],
        "policy": {k: v for k, v in evaluation.provenance["policy"].items() if v not in AS_BEFORE.get(k, ())},
        "inputs": inputs.select("name", "digest", "digest_kind").rows(),
        "runs": runs.select("run_id", "digest").rows() if runs.height else [run or ""],
        "unit": [*keyed.unit.values()],
        "by": [*keyed.by.values()],
    }
    return Identified(short(facts), keyed, measures, inputs, runs)


def rows_of(
    evaluation: Evaluation,
    *,
    run: str | None = None,
    queries: pl.DataFrame | None = None,
    portable: bool = False,
) -> Rows:
    """The rows of every table.

    Args:
        evaluation: what is kept.
        run: the name of its run, where it has no column of runs.
        queries: query_id and further columns, to be kept beside it.
        portable: digests are of the sorted rows, however many.

    Raises:
        NotDefined: it is made of something else than tables.
    """
    found = identified(evaluation, run=run, portable=portable)
    evaluation_id, keyed, measures, inputs, runs = found.id, found.keyed, found.measures, found.inputs, found.runs
    says, summary = evaluation.provenance, _summary(evaluation, keyed)
    told = [*summary["run_id"].unique(maintain_order=True)]
    metadata = of_runs(request_of(evaluation).given.get("run"))
    of_runs_ = pl.DataFrame({"run_id": told}, schema={"run_id": pl.String}).join(runs, on="run_id", how="left")
    of_runs_ = of_runs_.with_columns(metadata=pl.Series([metadata.get(r) for r in told], dtype=pl.String))
    units = units_with_counts(evaluation).with_columns(keyed.run_id(), keyed.groups(), keyed.unit_id())
    units = units.sort("groups", "run_id", "unit_id", nulls_last=True)
    counts = [c for c in TABLES["units"].columns if c in units.columns]
    values = values_of(units, [m["measure"] for m in measures])
    row = {
        "family": evaluation.family,
        "policy": canonical(says["policy"]),
        "unit_columns": canonical([*keyed.unit.values()]),
        "by_columns": canonical([*keyed.by.values()]),
        "n_runs": len(told),
        "n_units": units.height,
        "n_values": units.height * len(measures),
        "versions": canonical({k: says[k] for k in ("ireval_frames", "polars", "python", "engine")}),
    }
    made: dict[str, pl.DataFrame | pl.LazyFrame] = {
        "values": values,
        "units": units.select(counts),
        "summaries": summary,
        "measures": pl.DataFrame(measures, schema_overrides=dict(_MEASURES)),
        "inputs": inputs,
        "runs": of_runs_,
        "queries": _queries(queries),
        "evaluations": pl.DataFrame([row]),
    }
    return Rows(evaluation_id, {name: whole(name, evaluation_id, frame) for name, frame in made.items()})


def whole(name: str, id: str, frame: pl.DataFrame | pl.LazyFrame) -> pl.DataFrame | pl.LazyFrame:
    """The rows with all columns of the table."""
    frame = frame.with_columns(evaluation_id=pl.lit(id))
    there = frame.collect_schema().names()
    lacking = {c: pl.lit(None, dtype=t) for c, t in TABLES[name].schema.items() if c not in there}
    return frame.with_columns(**lacking)


def measure_row(told: Mapping[str, Any], range: tuple[float, float], place: int) -> dict[str, Any]:
    """The row of a measure in `measures`."""
    kept = {n: told[n] for n in ("measure", "name", "aggregation", "higher_is_better")}
    return {**kept, "parameters": canonical(told["parameters"]), "place": place, "low": range[0], "high": range[1]}


def values_of(units: pl.DataFrame, names: Sequence[str]) -> pl.LazyFrame:
    """A row per unit and measure, one measure after the other: what is alike stands together."""
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


def _summary(evaluation: Evaluation, keyed: Keyed) -> pl.DataFrame:
    frame = evaluation.summary()
    planned = planned_of(evaluation)
    back = {theirs: alias for alias, theirs in planned.named.items() if alias in planned.groups}
    frame = frame.rename({n: a for n, a in back.items() if n in frame.columns})
    return frame.select(keyed.run_id(), keyed.groups(), "measure", "value", "n_units", "n_undefined")


def _inputs(evaluation: Evaluation, keyed: Keyed, *, portable: bool) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The digests of the tables, and of the runs in them."""
    engine, given = evaluation.engine, request_of(evaluation).given
    rows, runs = [], pl.DataFrame(schema={"run_id": pl.String, **_DIGEST})
    tables = evaluation.tables()
    groups = {name: [c for c in keyed.runs if c in f.columns and name == "run"] for name, f in tables.items()}

    def of(name: str) -> pl.DataFrame:
        with engine.errors():
            sums = partial(planned_of(evaluation).sums, name)
            return digested(engine, tables[name], groups[name], portable=portable, sums=sums)

    # A run has many rows, which Polars reads while the few judgments are sorted; connections are for one thread.
    with ThreadPoolExecutor() as threads:
        each = threads.map if engine.in_process else map
        digests = dict(zip(tables, each(of, tables), strict=True))
    for name, frame in tables.items():
        by, found = groups[name], digests[name]
        if by:
            runs = found.rename({by[0]: "run_id"}).with_columns(pl.col("run_id").cast(pl.String)).sort("run_id")
            # A table of runs is the runs by their names.
            kinds = sorted({*found["digest_kind"]})
            told = {"n_rows": int(found["n_rows"].sum()), "digest": short(runs.rows()), "digest_kind": "+".join(kinds)}
        else:
            told = found.row(0, named=True)
            if name == "run":
                runs = found.with_columns(keyed.run_id())
        path = given.get(name)
        path = as_text(str(path)) if isinstance(path, str | Path | Located) and not engine.names_table(path) else None
        rows.append({"name": name, **told, "columns": canonical(sorted(frame.columns)), "path": path})
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


def of_runs(given: Any) -> dict[str, str]:
    """The headers of run files, by the names of the runs; nothing for tables that are no files of this machine.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "bm25.txt")
        >>> lines = ["# ir_metadata.start", "# tag: bm25", "# ir_metadata.end", "1 Q0 d1 1 2.5 bm25", ""]
        >>> _ = path.write_text(chr(10).join(lines))
        >>> of_runs(str(path))
        {'bm25': 'tag: bm25'}
    """
    paths = given if isinstance(given, list | tuple) else [given]
    if not all(isinstance(p, str | Path) for p in paths) or any(isinstance(p, Located) for p in paths):
        return {}
    if any(str(p) == "-" or is_remote(p) or ":" in str(p).split("/")[0] for p in paths):
        return {}
    found = {}
    for file in files(given):
        if file.path.is_file() and file.path.suffix not in (".parquet", ".pq", ".arrow", ".feather", ".ipc"):
            text = header(file.path)
            if text is not None:
                found[file.stem] = text
    return found
