"""`ir.clicks.counterfactual`: what new rankings are worth, from the clicks on old ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl
from scipy import special

from ireval_frames.clicks.counterfactual_evaluation.estimates import coverage_query, summary_query
from ireval_frames.clicks.counterfactual_evaluation.options import CounterfactualOptions
from ireval_frames.clicks.counterfactual_evaluation.planning import file, plan_of, refuse_other_queries
from ireval_frames.clicks.counterfactual_evaluation.propensity_table import by_position
from ireval_frames.clicks.counterfactual_evaluation.request import CounterfactualRequest
from ireval_frames.clicks.counterfactual_evaluation.summarised import Summarised, normal_interval
from ireval_frames.clicks.counterfactual_evaluation.weights import Names, weights_of
from ireval_frames.clicks.subject import Impressions
from ireval_frames.columns.schema import IMPRESSIONS, RUN
from ireval_frames.columns.user_names import Columns, TableNames, columns_named, refuse_reserved
from ireval_frames.comparison.values.sources import PerUnitValues
from ireval_frames.drawable import Estimates
from ireval_frames.engines.base import Engine
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.errors import InvalidParameter, NotDefined, UnknownName, nearest
from ireval_frames.io import located
from ireval_frames.results import Result, TableQuery, table_method

SIZES = ("n_pages", "n_users", "n_clicks", "ess", "status")
RESULT_COLUMNS = (
    "run_id", "query_id", "measure", "estimator", "difference", "value", "se", "low", "high", *SIZES,
)  # fmt: skip


class Counterfactual(Summarised):
    """Values of new rankings, estimated from clicks on old ones; computed when read, and printed as their summary.

    It is made by `ir.clicks.counterfactual`.
    """

    def __init__(self, request: CounterfactualRequest) -> None:
        super().__init__()
        self._request, self.engine = request, request.log.engine
        with self.engine.errors():
            # Names, columns and types are checked now.
            plan_of(request, self.engine)

    @table_method
    def summary(self) -> Result:
        """A row per run, group, measure and estimator: its value, interval and sample sizes.

        Returns:
            [run_id, by …] measure estimator value se low high n_pages [n_users] n_clicks ess status.  `n_clicks` are
            the clicks on what the run retrieves, `ess` is their effective sample size (Σw)² / Σw².  The status is "ok";
            "estimated_propensities": the interval ignores that the propensities are estimates, and may be too narrow;
            "no_overlap": nothing that the run retrieves was clicked, so the value has no evidence; "one_cluster": one
            page or user has no variance; "model": the value of a model has no interval from clicks.
        """
        return self._result("counterfactual")

    @table_method
    def per_unit(self) -> Result:
        """The same for each query of the log."""
        return self._result("counterfactual by query", per_query=True)

    @table_method
    def coverage(self, *, per_unit: bool = False) -> Result:
        """How much of the new rankings the log has ever shown; IPS knows nothing of the rest.

        Args:
            per_unit: a row per query.

        Returns:
            [run_id, by …] measure n_results n_shown never_shown never_shown_weight pages_in_run clicks_in_run.  Of the
            results of the log's queries that have a weight λ: how many there are, how many were shown, and the share
            that never was; the same share weighed by λ and the pages of the query; the share of the pages whose
            query the run has; and the share of the clicks that fell on what the run retrieves.
        """
        request = replace(self._request, per_query=per_unit)
        result = self._as_result("coverage", lambda engine: coverage_query(plan_of(request, engine)))
        return self._cached(("coverage", per_unit), result)

    def compare(self, baseline: Any = None) -> pl.DataFrame:
        """Each run against a baseline, on the same pages.

        A difference of values is the value of a ranking whose weights are the differences of weights, so its standard
        error is of the differences within pages (or users), not of two values.

        Args:
            baseline: the run_id of the baseline; by default the first in order.

        Returns:
            [by …] run_id baseline measure estimator difference se low high p_value n_pages [n_users] n_clicks ess
            status, where p is of the normal test that the difference is 0.  `n_clicks` and `ess` are of the clicks on
            results whose weights differ; "no_overlap" says that there are none.

        Raises:
            NotDefined: there is one run.
            UnknownName: no run has the name of the baseline.
        """
        runs = self._runs()
        if len(runs) < 2:
            raise NotDefined("A comparison needs two runs, and there is one.", "Pass several, with a column run_id.")
        baseline = runs[0] if baseline is None else baseline
        if baseline not in runs:
            raise UnknownName(f"There is no run {baseline!r}.", nearest(str(baseline), map(str, runs)))
        rows = self._result("counterfactual comparison", baseline=baseline).collect()
        p_value = (pl.col("value") / pl.col("se")).abs().map_batches(_two_sided, return_dtype=pl.Float64)
        rows = rows.with_columns(p_value=pl.when(pl.col("se") > 0).then(p_value), baseline=pl.lit(baseline))
        keys = [*self._request.by, "run_id", "baseline", "measure", "estimator"]
        sizes = [c for c in SIZES if c in rows.columns]
        return rows.rename({"value": "difference"}).select(*keys, "difference", "se", "low", "high", "p_value", *sizes)

    def _estimates(self) -> Estimates:
        rows, request = self.summary(), self._request
        system = pl.col("run_id") if "run_id" in rows.columns else pl.lit("run")
        named = {"system": system, "measure": pl.format("{} {}", "measure", "estimator"), "n": pl.col("n_pages")}
        return Estimates(rows.with_columns(**named), request.by, "page", normal_interval(request.options.confidence))

    # ---- as an evaluation, for `ir.compare`

    def _values_of_units(self) -> PerUnitValues:
        """The values per query, for `ir.compare`: measures are named with their estimators."""
        rows = self.per_unit()
        engine = PolarsEngine()
        system = pl.col("run_id") if "run_id" in rows.columns else pl.lit("")
        by = {alias: pl.col(name) for alias, name in self._request.by_names.items()}
        named = pl.format("{} {}", "measure", "estimator")
        labels = [f"{m.name} {e}" for m in self._request.measures for e in self._request.options.estimators]
        frame = rows.select(**by, unit_0="query_id", measure=named, system=system, value="value")
        several = "run_id" if "run_id" in rows.columns else None
        return PerUnitValues(engine, engine.from_polars(frame), several, ("query_id",), self._request.by, tuple(labels))

    def grouped(self, by: str | Sequence[str]) -> Counterfactual:
        """The same values, with pages grouped by other columns of the log."""
        return Counterfactual(replace(self._request, by=columns_named(by, "by")))

    # ---- within

    def _runs(self) -> list[Any]:
        tables = plan_of(self._request, self.engine)
        with self.engine.errors():
            for check in tables.sources.checks:
                check()
            runs = self.engine.collect(tables.retrieved.frame().select("run_id").unique())
        return sorted(runs["run_id"].to_list())

    def _result(self, name: str, *, per_query: bool = False, baseline: Any = None) -> Result:
        request = replace(self._request, per_query=per_query, baseline=baseline)

        def collect() -> pl.DataFrame:
            tables = plan_of(request, self.engine)
            with self.engine.errors():
                rows = summary_query(tables).collect()
                if not rows["n_clicks"].sum():
                    refuse_other_queries(self.engine, tables)
            return rows

        result = self._as_result(name, lambda engine: summary_query(plan_of(request, engine)))
        return self._cached((name, baseline), result, collect)

    def _as_result(self, name: str, query: Callable[[Engine], TableQuery]) -> Result:
        request = self._request
        provenance = {
            "table": name,
            "measures": [m.name for m in request.measures],
            "estimators": [str(e) for e in request.options.estimators],
            "confidence": request.options.confidence,
            "policy": {name: value for name, value, *_ in request.log.policy.described()},
        }
        return Result(self.engine, query, file, provenance)


def _two_sided(z: pl.Series) -> pl.Series:
    return pl.Series(z.name, 2.0 * special.ndtr(-z.to_numpy()))


def counterfactual(
    log: Any,
    run: Any,
    measure: Names = "DCG@10",
    *,
    propensity: Any = None,
    estimators: str | Iterable[str] = "IPS SNIPS",
    relevance: Any = None,
    cluster: str = "page",
    by: str | Sequence[str] | None = None,
    confidence: float = 0.95,
    columns: Columns | None = None,
    engine: str | Engine | None = None,
    con: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Counterfactual:
    """The value of new rankings by any measure that sums weights of ranks, from the clicks on old rankings.

    V = (1/S) Σ c/ρ · λ(rank) over the S pages of the log: a click counts the more the less likely its position is
    examined (ρ), with the weight of the document's rank in the new run (λ; 0 where it does not retrieve it).

    Args:
        log: the old log: `Impressions`, or a table with its columns.
        run: the new rankings: query_id, doc_id, score (or rank), and run_id for several.
        measure: DCG, P, RR, RBP and CG with the names and parameters of the ranking measures, or weights of
            your own from rank 1 on: `{"mine": [1, 0.5]}`.  A click counts as relevance 1, and RR weighs every click by
            1/rank.
        propensity: how likely a position is examined: numbers from position 1 on, a mapping or table of positions,
            what `ir.clicks.propensities` gives, a fitted PBM or its parameters (as multiples of that of position 1,
            without positions that it cannot compare); by default the log's own column.
        estimators: of IPS, SNIPS, clipped(tau=0.1), naive, policy_aware, affine, DM, DR; see Estimators.
        relevance: for DM and DR, the estimated relevance: query_id, doc_id, relevance; by default clicks over the sum
            of propensities in the log itself.  Results without an estimate have 0.
        cluster: what is drawn independently: "page", or "user", where pages of a user are alike.
        by: columns of the log that group pages.
        confidence: of the intervals, which are normal.
        columns: the names of columns, ours → theirs: `{"doc_id": "sku"}` for the run and for the log, if that is a
            table and not `Impressions`; `{"run": {"doc_id": "sku"}}` for the run only.
        engine: "polars", "duckdb" or "spark"; by default where the log is.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        storage_options: options of the stores of remote paths.

    Estimators:
        naive: Σ c λ / S, which favours what stood at the top.
        IPS: Σ (c/ρ) λ / S; unbiased where clicks need examination and every page showed all of the run's results.
        clipped(tau): IPS with max(ρ, tau).
        SNIPS: Σ (c/ρ) λ / Σ c/ρ over all clicks: the mean weight of a relevant result, from 0 to the largest λ.
        policy_aware: Σ (c/ρ̄) λ / S with the mean ρ over the pages of the query, 0 on those that do not show the result.
        affine: Σ ((c − β)/α) λ / S with α and β by position, for clicks on what is not relevant.
        DM: Σ λ R / S over the run's results; DR: DM + Σ λ (c/ρ − R) / S over the shown ones.

    A standard error is that of a mean or ratio over clusters: √(C/(C−1) Σ (y − V x)²) / Σ x.  Where R or ρ̄ is
    estimated from the log (policy_aware, DR), y is what the sum loses without the cluster, as in a jackknife.  With
    `by` they are those of each group.  Propensities and relevance that are passed are taken as known.

    Raises:
        NotDefined: the measure is no sum of weights of ranks.
        UnknownName, InvalidParameter: an estimator or argument that does not exist.
        MissingColumn, WrongType, MismatchedTables: the tables lack columns or do not match, or no query is in both.
        InvalidValue: with the first result, a click has no propensity above 0, or the log holds what it must not.

    Source: Joachims, Swaminathan and Schnabel, WSDM 2017; Swaminathan and Joachims, NeurIPS 2015 (SNIPS); Oosterhuis
    and de Rijke, SIGIR 2020; Vardasbi, Oosterhuis and de Rijke, CIKM 2020; Oosterhuis, TOIS 2023 (DR).

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> log = pl.DataFrame({"serp_id": [1, 1, 2, 2], "query_id": ["q"] * 4, "doc_id": ["a", "b", "a", "b"],
        ...                     "position": [1, 2, 1, 2], "click": [1, 0, 0, 1]})
        >>> run = pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["b", "a"], "score": [2.0, 1.0]})
        >>> values = ir.clicks.counterfactual(log, run, "RR", propensity=[1.0, 0.5])
        >>> values.summary().select("estimator", "value", "ess").rows()
        [('IPS', 1.25, 1.8), ('SNIPS', 0.8333333333333334, 1.8)]
    """
    options = CounterfactualOptions.parse(estimators=estimators, cluster=cluster, confidence=confidence)
    user_names = TableNames(columns, {"impressions": (IMPRESSIONS,), "run": (RUN,)})
    if not isinstance(log, Impressions):
        log = Impressions(
            log, columns=user_names.of("impressions"), engine=engine, con=con, storage_options=storage_options
        )
    elif engine is not None or con is not None:
        raise InvalidParameter("An Impressions has an engine of its own.", "Leave out engine= and con=.")
    names = log.by if by is None else columns_named(by, "by")
    refuse_reserved(names, RESULT_COLUMNS, "by")
    positions, estimated = (None, False) if propensity is None else by_position(located(propensity, storage_options))
    request = CounterfactualRequest(
        log,
        located(run, storage_options),
        tuple(weights_of(measure)),
        options,
        positions=positions,
        estimated=estimated,
        relevance=relevance,
        by=names,
        columns=user_names.of("run"),
    )
    return Counterfactual(request)
