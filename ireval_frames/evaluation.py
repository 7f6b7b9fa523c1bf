"""The result of an evaluation: per unit, summarized, wide, as SQL, explained.  Nothing here knows a family."""

from __future__ import annotations

import functools
import platform
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames import version
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.errors import UnknownName, nearest
from ireval_frames.plan import Plan, Table

# What a geometric mean takes for smaller values, as trec_eval does.
GEOMETRIC_FLOOR = 1e-5


@dataclass(frozen=True)
class Built:
    """A plan with what was asked of it."""

    plan: Plan
    unit: Table
    measures: Sequence[str]
    finals: Sequence[nw.Expr]
    by: Mapping[str, str]
    """Aliases of the `by` columns, and the user's names."""
    checks: Sequence[Callable[[], None]]
    counts: Callable[[], Mapping[str, str]]
    notes: Sequence[str]
    names: Mapping[str, str] = field(default_factory=dict)
    """Aliases of further key columns, and the user's names."""

    @property
    def groups(self) -> list[str]:
        """The columns that summaries are grouped by, under their aliases."""
        return [k for k in self.unit.keys if k == "run_id"] + list(self.by)

    def frame(self) -> nw.LazyFrame:
        """Keys, `by` columns and `m0`, `m1` … per unit."""
        columns = {}
        for i, (measure, final) in enumerate(zip(self.measures, self.finals, strict=True)):
            with self.plan.asked_by(measure):
                columns[f"m{i}"] = self.unit.column(final)
        keys = [k for k in self.unit.keys if k not in self.by]
        ordered = [*self.groups, *(k for k in keys if k not in self.groups)]
        return self.unit.frame().select(*ordered, **columns)


class Build(Protocol):
    """A subject's way to make the plan of an evaluation on an engine."""

    def __call__(
        self,
        engine: Engine,
        measures: Sequence[Measure],
        *,
        ordered: bool = False,
        given: Mapping[str, Any] | None = None,
    ) -> Built:
        """Make the plan; `given` replaces the tables that were handed in."""

    def file(self, name: Any, path: Any) -> tuple[str, pl.Schema]:
        """The SELECT that reads a file as that table, and its columns."""

    def count_measures(self) -> dict[str, Measure]:
        """The measures that count what a unit holds, by the column they get."""


class Evaluation:
    """Asked measures over units (queries, groups of items), computed when first looked at, once.

    It prints as its summary.
    """

    def __init__(
        self,
        measures: Sequence[Measure],
        build: Build,
        engine: Engine,
        *,
        family: str,
        policy: Sequence[tuple[str, Any, str, str]],
        tables: Mapping[str, Any],
    ) -> None:
        self.measures = tuple(measures)
        self._build, self._engine, self._family, self._policy, self._tables = build, engine, family, policy, tables
        self._lock = threading.RLock()
        with engine.errors():
            self._built = build(engine, self.measures)

    # ---- results

    def per_unit(self, *, counts: bool = False) -> pl.DataFrame:
        """A row per unit and measure: [run_id, by …], the unit, measure, value.

        Args:
            counts: add what the family counts per unit: for rankings n_retrieved, n_judged (of the retrieved),
                n_relevant, n_relevant_retrieved.
        """
        wide = self._units()
        keys = self._keys(wide)
        long = self._long(wide, keys)
        measures = self._build.count_measures() if counts else {}
        if not measures:
            return long.rename(self._named, strict=False)
        names = {f"m{i}": name for i, name in enumerate(measures)}
        counted = self._collected(self._build(self._engine, list(measures.values()))).rename(names)
        counted = counted.with_columns(pl.col(n).cast(pl.Int64) for n in names.values())
        if not keys:
            # All rows are one unit.
            return long.join(counted, how="cross", maintain_order="left")
        return long.join(counted, on=keys, how="left", nulls_equal=True, maintain_order="left").rename(
            self._named, strict=False
        )

    def per_unit_in_order(self) -> pl.DataFrame:
        """The unit's keys and a column per measure, with sums added row by row as a plain loop adds them.

        The last bits then are those of a loop in the order of the ranks, which decides the last printed digit now and
        then.
        """
        built = self._build(self._engine, self.measures, ordered=True)
        labels = {f"m{i}": str(m) for i, m in enumerate(self.measures)}
        return self._collected(built).rename(self._named | labels, strict=False)

    def summary(self) -> pl.DataFrame:
        """A row per run, group and measure: [run_id, by …], measure, value, n_units, n_undefined, in the order asked.

        Undefined values are left out of the aggregation and counted.
        """
        wide, groups = self._units(), self._built.groups
        values = {
            f"v{i}": _aggregated(pl.col(f"m{i}").drop_nulls(), m.aggregation) for i, m in enumerate(self.measures)
        }
        undefined = {f"u{i}": pl.col(f"m{i}").null_count().cast(pl.Int64) for i in range(len(self.measures))}
        columns = {"n_units": pl.len().cast(pl.Int64), **values, **undefined}
        lazy = wide.lazy()
        rows = (lazy.group_by(groups, maintain_order=True).agg(**columns) if groups else lazy.select(**columns)).sort(
            groups or "n_units"
        )
        frame = rows.with_row_index("_row").collect()
        long = frame.unpivot(
            list(values), index=["_row", *groups, "n_units"], variable_name="measure", value_name="value"
        )
        counts = frame.unpivot(list(undefined), index=["_row"], value_name="n_undefined")["n_undefined"]
        labels = {f"v{i}": str(m) for i, m in enumerate(self.measures)}
        measure = pl.col("measure").replace_strict(labels, return_dtype=pl.String)
        ordered = long.hstack([counts]).sort("_row", maintain_order=True)
        return ordered.select(*groups, measure, "value", "n_units", "n_undefined").rename(self._named, strict=False)

    def wide(self) -> pl.DataFrame:
        """A row per run (and group), a column per measure."""
        summary = self.summary()
        groups = list(self._groups)
        names = [str(m) for m in self.measures]
        if not groups:
            return pl.DataFrame(
                dict(zip(summary["measure"], summary["value"].to_list(), strict=True)),
                schema=dict.fromkeys(names, pl.Float64),
            )
        return summary.pivot(on="measure", index=groups, values="value", on_columns=names, maintain_order=True)

    def to_native(self) -> Any:
        """The per-unit table, still lazy, in the engine's own kind: a Polars LazyFrame or a DuckDB relation.

        Nothing is read now, so a DuckDB relation leaves unchecked; any other result checks the data first.
        """
        frame = self._built.frame()
        keys = [k for k in frame.collect_schema().names() if not _is_value(k)]
        parts = [
            frame.select(*keys, nw.lit(str(m)).alias("measure"), nw.col(f"m{i}").alias("value"))
            for i, m in enumerate(self.measures)
        ]
        long = nw.concat(parts, how="vertical") if len(parts) > 1 else parts[0]
        return long.rename({k: v for k, v in self._named.items() if k in keys}).to_native()

    def sql(self, result: str = "per_unit") -> str:
        """The SQL that DuckDB runs, with a named stage per table of the plan, against the caller's own tables.

        Frames are spoken of as tables by the names of the arguments (`qrels` and `run`, `labels`, `clusters` …); files
        of rankings are read where they are.

        Args:
            result: "per_unit", or "summary" for the aggregated values.
        """
        if result not in ("per_unit", "summary"):
            raise UnknownName(f"There is no result {result!r}.", nearest(result, ["per_unit", "summary"]))
        from ireval_frames.engines.sql import SQLText

        text = SQLText(self._tables, getattr(self._engine, "connection", None), self._build.file)
        built = self._build(text, self.measures, given=text.tables)
        return text.statement(built.frame(), built.groups, {**built.by, **built.names}, self.measures, result)

    def explain(self, *, counts: bool = False) -> str:
        """The tables of the plan, their columns and who asked for them, and the policies in force.

        Args:
            counts: say how many rows or queries each policy touched (reads the data).
        """
        self._built.frame()
        lines = [f"engine: {self._engine.name}", "", "tables"]
        for table in self._built.plan.tables.values():
            if table.name not in self._built.plan.built:
                continue
            lines.append(f"  {table.name}: a row per ({', '.join(table.keys)}); {table.made}")
            for asked in table.asked.values():
                who = ", ".join(a for a in asked.askers if a) or "the plan"
                lines.append(f"    {asked.name} = {asked.what}  ← {who}")
        touched: Mapping[str, str] = {}
        if counts:
            self._units()
            touched = self._built.counts()
        lines += ["", "policies"]
        for name, value, sentence, source in self._policy:
            touch = f"  [{touched[name]}]" if name in touched else ""
            lines.append(f"  {name} = {value}{touch}  ({source})")
            lines += [f"      {sentence}"] if sentence else []
        if self._built.notes:
            lines += ["", "notes", *(f"  {n}" for n in self._built.notes)]
        return "\n".join(lines)

    @property
    def provenance(self) -> dict[str, Any]:
        """Measures, policy, engine and versions: what a stored result needs to be understood."""
        return {
            "measures": [str(m) for m in self.measures],
            "family": self._family,
            "policy": {name: value for name, value, *_ in self._policy},
            "engine": self._engine.name,
            "ireval_frames": version.__version__,
            "polars": pl.__version__,
            "python": platform.python_version(),
        }

    def __str__(self) -> str:
        with pl.Config(
            tbl_hide_dataframe_shape=True,
            tbl_hide_column_data_types=True,
            tbl_rows=100,
            float_precision=4,
            fmt_str_lengths=60,
        ):
            return str(
                self.wide() if self._groups else self.summary().select("measure", "value", "n_units", "n_undefined")
            )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        with pl.Config(
            tbl_hide_dataframe_shape=True,
            tbl_hide_column_data_types=True,
            tbl_rows=100,
            float_precision=4,
            fmt_str_lengths=60,
        ):
            return str((self.wide() if self._groups else self.summary())._repr_html_())

    # ---- within

    @property
    def _named(self) -> dict[str, str]:
        """The user's names of the key columns."""
        return {**self._built.by, **self._built.names}

    @property
    def _groups(self) -> tuple[str, ...]:
        return tuple(self._built.by.get(g, g) for g in self._built.groups)

    def _keys(self, wide: pl.DataFrame) -> list[str]:
        return [c for c in wide.columns if not _is_value(c)]

    def _units(self) -> pl.DataFrame:
        with self._lock:
            return self._computed

    @functools.cached_property
    def _computed(self) -> pl.DataFrame:
        return self._collected(self._built)

    def _collected(self, built: Built) -> pl.DataFrame:
        engine = built.plan.engine
        with engine.errors():
            for check in built.checks:
                check()
            frame = engine.collect(built.frame())
        keys = self._keys(frame)
        return frame.with_columns(pl.selectors.matches(r"^m\d+$").cast(pl.Float64)).sort(keys)

    def _long(self, wide: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
        names = [f"m{i}" for i in range(len(self.measures))]
        labels = {n: str(m) for n, m in zip(names, self.measures, strict=True)}
        long = wide.with_row_index("_row").unpivot(
            names, index=["_row", *keys], variable_name="measure", value_name="value"
        )
        order = pl.col("measure").replace_strict({n: i for i, n in enumerate(names)}, return_dtype=pl.Int64)
        long = long.sort("_row", order, maintain_order=True).drop("_row")
        return long.with_columns(pl.col("measure").replace_strict(labels, return_dtype=pl.String))


def _aggregated(values: pl.Expr, how: str) -> pl.Expr:
    """One number of the defined values; sums are taken one value after another, in the order of the units."""
    total = values.cum_sum().last()
    match how:
        case "mean":
            return total / values.len()
        case "sum":
            return total.fill_null(0.0)
        case "geometric":
            return (values.clip(GEOMETRIC_FLOOR).log().cum_sum().last() / values.len()).exp()
        case "median":
            return values.median()
        case "min":
            return values.min()
        case "max":
            return values.max()
        case _:
            return values.std()


def _is_value(column: str) -> bool:
    return column[0] == "m" and column[1:].isdigit()
