"""The values of new rankings in an old log, and how they are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl
from scipy import special

from ireval_frames.clicks.counterfactual_evaluation.build import CounterfactualBuild, Made, no_overlap
from ireval_frames.clicks.counterfactual_evaluation.coverage import covered
from ireval_frames.clicks.counterfactual_evaluation.estimates import Estimates
from ireval_frames.clicks.counterfactual_evaluation.summarised import Summarised, normal_interval
from ireval_frames.columns.user_names import columns_named
from ireval_frames.comparison.values.sources import Values
from ireval_frames.drawable import Estimates as Estimated
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import concat
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.errors import NotDefined, UnknownName, nearest
from ireval_frames.expr import col, lit
from ireval_frames.results import Result, TableQuery, table_method

TOLD = ("value", "se", "low", "high", "n_pages", "n_users", "n_clicks", "ess", "status")
RESULT_COLUMNS = ("run_id", "query_id", "measure", "estimator", "difference", *TOLD)


class Counterfactual(Summarised):
    """Values of new rankings, estimated from clicks on old ones; computed when looked at, and printed as its summary.

    It is made by `ir.clicks.counterfactual`.
    """

    def __init__(self, build: CounterfactualBuild, by: tuple[str, ...], confidence: float) -> None:
        super().__init__()
        self._build, self._by, self._confidence = build, by, confidence
        self.engine = build.log.engine
        with self.engine.errors():
            # Names, columns and types are checked now.
            build(self.engine, by)

    @table_method
    def summary(self) -> Result:
        """A row per run, group, measure and estimator: its value, interval, and what it rests on.

        Returns:
            [run_id, by …] measure estimator value se low high n_pages [n_users] n_clicks ess status.  `n_clicks` are
            the clicks on what the run retrieves, `ess` how many of equal weight would tell as much, (Σw)² / Σw².  The
            status is "ok"; "estimated_propensities": the interval takes propensities as known that were estimated from
            clicks, and may be too narrow; "no_overlap": nothing that the run retrieves was clicked, so the value rests
            on nothing; "one_cluster": one page or user has no variance; "model": a model's value has no interval from
            clicks.
        """
        return self._result("counterfactual", per_query=False)

    @table_method
    def per_unit(self) -> Result:
        """The same for each query of the log."""
        return self._result("counterfactual by query", per_query=True)

    @table_method
    def coverage(self, *, per_unit: bool = False) -> Result:
        """What of the new rankings the log has ever shown; IPS knows nothing of the rest.

        Args:
            per_unit: a row per query.

        Returns:
            [run_id, by …] measure n_results n_shown never_shown never_shown_weight pages_in_run clicks_in_run.  Of the
            results of the log's queries that the measure looks at: how many there are, how many were shown, and the
            share that never was; the same share weighed by λ and the pages of the query; the share of the pages whose
            query the run has; and the share of the clicks that fell on what the run retrieves.
        """
        build = self._build.changed(per_query=per_unit)

        def query(engine: Engine) -> TableQuery:
            tables = build(engine, self._by)
            names = self._names(tables)
            parts, keys = [], []
            for i, (measure, columns) in enumerate(covered(tables.tables)):
                keys = [k for k in tables.tables.values.keys if k in names]
                parts.append((measure, columns, i))
            frame = tables.tables.values.frame()
            stack = [
                frame.select(**{names[k]: col(k) for k in keys}, measure=lit(m), **c, ireval_place=lit(i))
                for m, c, i in parts
            ]
            order = (*(names[k] for k in keys), "ireval_place")
            shown = tuple(c for c in stack[0].columns if c != "ireval_place")
            return TableQuery(tables.tables.plan, concat(stack), order, shown, tables.checks)

        return self._cached(("coverage", per_unit), self._as_result("coverage", query))

    def compare(self, baseline: Any = None) -> pl.DataFrame:
        """Each run against a baseline, on the same pages.

        A difference of values is the value of a ranking whose weights are the differences of weights, so its standard
        error is of the differences within pages (or users), not of two values.

        Args:
            baseline: the run_id of the baseline; by default the first in order.

        Returns:
            [by …] run_id baseline measure estimator difference se low high p_value n_pages [n_users] n_clicks ess
            status, where p is of the normal test that the difference is 0.  `n_clicks` and `ess` are of the clicks on
            what the two weigh differently; "no_overlap" says that there are none.

        Raises:
            NotDefined: there is one run.
            UnknownName: no run has the name of the baseline.
        """
        runs = self._runs()
        if len(runs) < 2:
            raise NotDefined(
                "A comparison needs two runs, and there is one.", "Hand in several, told apart by a column run_id."
            )
        baseline = runs[0] if baseline is None else baseline
        if baseline not in runs:
            raise UnknownName(f"There is no run {baseline!r}.", nearest(str(baseline), map(str, runs)))
        found = self._result("counterfactual comparison", per_query=False, baseline=baseline).collect()
        with_p = found.with_columns(
            p_value=pl.when(pl.col("se") > 0).then(
                (pl.col("value") / pl.col("se")).abs().map_batches(_two_sided, return_dtype=pl.Float64)
            ),
            baseline=pl.lit(baseline),
        )
        rest = [c for c in found.columns if c in (*TOLD[4:],)]
        keys = [*self._by, "run_id", "baseline", "measure", "estimator"]
        named = with_p.rename({"value": "difference"})
        return named.select(*keys, "difference", "se", "low", "high", "p_value", *rest)

    def estimated(self) -> Estimated:
        """The summary, for pictures and reports."""
        rows = self.summary()
        system = pl.col("run_id") if "run_id" in rows.columns else pl.lit("run")
        named = {"system": system, "measure": pl.format("{} {}", "measure", "estimator"), "n": pl.col("n_pages")}
        return Estimated(rows.with_columns(**named), self._by, "page", normal_interval(self._confidence))

    # ---- as an evaluation, for `ir.compare`

    def values_of_units(self) -> Values:
        """The values per query, for `ir.compare`: measures are named with their estimators."""
        rows = self.per_unit()
        engine = PolarsEngine()
        system = pl.col("run_id") if "run_id" in rows.columns else pl.lit("")
        by = {f"by_{i}": pl.col(n) for i, n in enumerate(self._by)}
        named = pl.format("{} {}", "measure", "estimator")
        labels = [f"{m.name} {e}" for m in self._build.asked.measures for e in self._build.asked.estimators]
        frame = rows.select(**by, unit_0="query_id", measure=named, system=system, value="value")
        several = "run_id" if "run_id" in rows.columns else None
        return Values(engine, engine.from_polars(frame), several, ("query_id",), self._by, tuple(labels))

    def grouped(self, by: str | Sequence[str]) -> Counterfactual:
        """The same, its pages grouped by other columns of the log."""
        names = columns_named(by, "by")
        aliases = tuple(f"by_{i}" for i in range(len(names)))
        return Counterfactual(self._build.changed(by=aliases), names, self._confidence)

    # ---- within

    def _runs(self) -> list[Any]:
        made = self._build(self.engine, self._by)
        with self.engine.errors():
            for check in made.checks:
                check()
            runs = self.engine.collect(made.tables.retrieved.frame().select("run_id").unique())
        return sorted(runs["run_id"].to_list())

    def _names(self, made: Made) -> dict[str, str]:
        """The user's names of the columns that tell rows apart."""
        run = {"run_id": "run_id"} if made.several else {}
        return run | dict(zip(self._build.asked.by, self._by, strict=True)) | {"query_id": "query_id"}

    def _result(self, says: str, *, per_query: bool, baseline: Any = None) -> Result:
        build = self._build.changed(per_query=per_query, baseline=baseline)

        def collect() -> pl.DataFrame:
            tables = build(self.engine, self._by)
            with self.engine.errors():
                frame = self._query(tables).collect()
                if not frame["n_clicks"].sum():
                    no_overlap(self.engine, tables.tables)
            return frame

        result = self._as_result(says, lambda engine: self._query(build(engine, self._by)))
        return self._cached((says, baseline), result, collect)

    def _as_result(self, says: str, query: Callable[[Engine], TableQuery]) -> Result:
        asked = self._build.asked
        told = {
            "table": says,
            "measures": [m.name for m in asked.measures],
            "estimators": [str(e) for e in asked.estimators],
            "confidence": self._confidence,
            "policy": {name: value for name, value, *_ in self._build.log.policy.described()},
        }
        return Result(self.engine, query, self._build.file, told)

    def _query(self, made: Made) -> TableQuery:
        tables, names = made.tables, self._names(made)
        estimates = Estimates(tables)
        z = float(special.ndtri((1.0 + self._confidence) / 2.0))
        keys = {names[k]: k for k in tables.values.keys if k in names}
        rows = []
        for place, (measure, estimator, told) in enumerate(estimates.all()):
            # Weights make numbers of pages that are not whole.
            count = pl.Float64 if tables.weighted else pl.Int64
            sizes = {"n_pages": estimates.of_group(estimates.num_pages).cast(count)}
            if tables.asked.user:
                sizes["n_users"] = estimates.of_group(estimates.num_clusters).cast(pl.Int64)
            columns = {
                "measure": lit(tables.asked.measures[measure].name),
                "estimator": lit(str(estimator)),
                "value": told.value,
                "se": told.se,
                "low": told.value - z * told.se,
                "high": told.value + z * told.se,
                **sizes,
                "n_clicks": told.clicks.cast(count),
                "ess": told.ess,
                "status": told.status,
                "ireval_place": lit(place),
            }
            rows.append(columns)
        frame = tables.plan.engine.shared(tables.values.frame())
        parts = [frame.select(**{name: col(k) for name, k in keys.items()}, **columns) for columns in rows]
        order = (*keys, "ireval_place")
        shown = tuple(c for c in parts[0].columns if c != "ireval_place")
        return TableQuery(tables.plan, concat(parts), order, shown, made.checks)


def _two_sided(z: pl.Series) -> pl.Series:
    return pl.Series(z.name, 2.0 * special.ndtr(-z.to_numpy()))
