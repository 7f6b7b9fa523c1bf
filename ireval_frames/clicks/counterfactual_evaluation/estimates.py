"""Values, standard errors and sample sizes as columns of the table of values; and how much of a run was shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl
from scipy import special

from ireval_frames.clicks.counterfactual_evaluation.estimators import Estimator
from ireval_frames.clicks.counterfactual_evaluation.tables import PAIR, ValueTables
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator, ratio
from ireval_frames.results import TableQuery

OK, UNCLICKED, ALONE, MODEL, ESTIMATED = "ok", "no_overlap", "one_cluster", "model", "estimated_propensities"
# Of a sum that is all one cluster's, at most this share is left by rounding.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Estimate:
    """The estimate of one measure by one estimator, as columns of the table of values."""

    value: Expr
    se: Expr
    clicks: Expr
    ess: Expr
    status: Expr


def summary_query(tables: ValueTables) -> TableQuery:
    """A row per run, group, measure and estimator: its value, interval and sample sizes."""
    estimates, request = Estimates(tables), tables.request
    z = float(special.ndtri((1.0 + request.options.confidence) / 2.0))
    # Weights make numbers of pages that are not whole.
    count = pl.Float64 if tables.weighted else pl.Int64
    rows = []
    for measure, estimator, estimate in estimates.all():
        sizes = {"n_pages": estimates.of_group(estimates.num_pages).cast(count)}
        if request.per_user:
            sizes["n_users"] = estimates.of_group(estimates.num_clusters).cast(pl.Int64)
        rows.append(
            {
                "measure": lit(request.measures[measure].name),
                "estimator": lit(str(estimator)),
                "value": estimate.value,
                "se": estimate.se,
                "low": estimate.value - z * estimate.se,
                "high": estimate.value + z * estimate.se,
                **sizes,
                "n_clicks": estimate.clicks.cast(count),
                "ess": estimate.ess,
                "status": estimate.status,
            }
        )
    frame = tables.plan.engine.shared(tables.values.frame())
    return TableQuery.stacked(tables.plan, frame, tables.named_keys, rows, tables.sources.checks)


class Estimates:
    """The estimates of a plan."""

    def __init__(self, tables: ValueTables) -> None:
        self.tables, self.request = tables, tables.request
        clusters, groups = tables.clusters, tables.groups
        self.num_clusters = clusters.sum(tables.times, into=groups)
        self.num_pages = clusters.sum(tables.times * tables.num_pages, into=groups)
        self._squared_pages = clusters.sum(tables.times * tables.num_pages * tables.num_pages, into=groups)

    def of_group(self, expr: Expr) -> Expr:
        """A column of `groups`, in `values`."""
        return self.tables.values.lookup(expr, of=self.tables.groups)

    def all(self) -> Iterator[tuple[int, Estimator, Estimate]]:
        """The index of the measure, the estimator, and the estimate, in the order of the request."""
        for measure, weights in enumerate(self.request.measures):
            for estimator in self.request.options.estimators:
                with self.tables.plan.requesting(f"{weights.name} {estimator}"):
                    yield measure, estimator, self._estimate(measure, estimator)

    def _estimate(self, measure: int, estimator: Estimator) -> Estimate:
        tables, values = self.tables, self.tables.values
        if estimator.form.model:
            finer, y, lost = self._with_model(measure, estimator)
        else:
            finer, y = tables.sums, self._corrected(measure, estimator.term())
            lost = y
        times = self._of_cluster(finer, tables.times)
        if estimator.form.ratio:
            x, total, squared = self._relevant(finer)
        else:
            x = self._of_cluster(finer, tables.num_pages)
            total, squared = self.num_pages, self._squared_pages
        total, squared = self.of_group(total), self.of_group(squared)
        sum_y = finer.sum(times * y, into=values)
        sum_yy, sum_xy = (finer.sum(times * lost * other, into=values) for other in (lost, x))
        value = values.column(ratio(sum_y, total), "value")
        # Σ (y − value · x)², also of clusters without rows of the run, whose y is 0.  Where relevance is estimated from
        # the log, y is what the sum loses without the cluster.
        squares = values.column(sum_yy - 2.0 * value * sum_xy + value * value * squared, "squares")
        n = self.of_group(self.num_clusters)
        spread = when(squares > 0).then(squares).otherwise(0.0)
        variance = values.column(ratio(ratio(n, n - 1.0) * spread, total * total), "variance")
        clicks, ess = self._sizes(measure, estimator)
        unclicked, alone = clicks <= 0, n <= 1
        if estimator.name == "DM":
            return Estimate(value, lit(None, dtype=pl.Float64), clicks, ess, lit(MODEL))
        known = ESTIMATED if tables.request.estimated and estimator.name != "naive" else OK
        no_clicks = when(unclicked).then(lit(UNCLICKED))
        status = no_clicks.otherwise(when(alone).then(lit(ALONE)).otherwise(lit(known)))
        se = when(~unclicked & ~alone).then(variance.sqrt())
        return Estimate(value, values.column(se, "se"), clicks, ess, status)

    def _of_cluster(self, finer: Table, expr: Expr) -> Expr:
        """A column of the clusters, for each row of a table with a row per run and cluster."""
        return finer.lookup(expr, of=self.tables.clusters) if expr.columns else expr

    def _corrected(self, measure: int, term: Expr) -> Expr:
        """In `sums`: the sum of a term over the rows of a cluster, each by its weight λ."""
        tables = self.tables
        return tables.matched.sum(tables.row_weight * col(f"weight_of_{measure}") * term, into=tables.sums)

    def _with_model(self, measure: int, estimator: Estimator) -> tuple[Table, Expr, Expr]:
        """In a table of runs and clusters: the estimated relevance of what the run retrieves, corrected where shown.

        The second expression is what the total loses without the cluster, from which relevance is estimated, too.
        """
        tables = self.tables
        external = tables.sources.relevance is not None and not estimator.form.learns
        modelled, added = tables.modelled(measure, external=external)
        if estimator.name == "DM":
            return modelled, added, added

        def corrected(term: Expr) -> Expr:
            return modelled.column(
                added + modelled.lookup(self._corrected(measure, term), of=tables.sums).fill_null(0.0)
            )

        inverse = col("click") / col("propensity")
        if external:
            same = corrected(inverse - col("relevance").fill_null(0.0))
            return modelled, same, same
        shown = tables.counted
        lost = shown.column(_without(tables, unseen=estimator.name == "DR"), "lost")
        if estimator.name != "DR":
            return modelled, added, corrected(lost)
        residual = inverse - shown.lookup(tables.learned, of=tables.pairs)
        return modelled, corrected(residual), corrected(residual + lost)

    def _relevant(self, finer: Table) -> tuple[Expr, Expr, Expr]:
        """The estimated number of relevant results: of a row's cluster, of a group, and the squares of its clusters."""
        tables = self.tables
        term = tables.row_weight * col("click") / col("propensity")
        if tables.counted.name != "clicked":
            term = when(col("click") > 0).then(term).otherwise(0.0)
        of_cluster = tables.counted.sum(term, into=tables.clusters)
        total = tables.clusters.sum(tables.times * of_cluster, into=tables.groups)
        squared = tables.clusters.sum(tables.times * of_cluster * of_cluster, into=tables.groups)
        return finer.lookup(of_cluster, of=tables.clusters), total, squared

    def _mean_propensity(self) -> Expr:
        """In `pairs`: the mean propensity of the result over the pages of its query, 0 on those that do not show it."""
        tables = self.tables
        pages = tables.pairs.lookup(tables.pages_of_query, of=tables.queries)
        return tables.pairs.column(ratio(tables.examined, pages), "mean_propensity")

    def _sizes(self, measure: int, estimator: Estimator) -> tuple[Expr, Expr]:
        """The clicks on what the run retrieves, and their effective sample size (Σw)² / Σw²."""
        tables, sums, values = self.tables, self.tables.sums, self.tables.values
        flag, weight = tables.indicated(measure), col("weight") if tables.weighted else lit(1.0)
        click = col("click")
        match estimator.name:
            case "clipped":
                inverse = estimator.term()
            case "policy_aware":
                inverse = click / tables.counted.lookup(self._mean_propensity(), of=tables.pairs)
            case _:
                inverse = click / col("propensity")
        # DM reads no propensities where relevance is passed.
        without_weights = estimator.name == "DM" and not tables.has_propensities
        if without_weights or estimator.name in ("naive", "affine"):
            inverse = click
        terms = (weight * flag, weight * flag * inverse, weight * flag * inverse * inverse)
        clicks, first, second = (sums.sum(tables.matched.sum(t, into=sums), into=values) for t in terms)
        ess = lit(None, dtype=pl.Float64) if without_weights else values.column(ratio(first * first, second), "ess")
        return clicks, ess


def _without(tables: ValueTables, *, unseen: bool) -> Expr:
    """In `results`: each shown result's part of M R − (M − m) (C − c) / (E − e) − m R: what its cluster changes of M R.

    The relevance R = C / E of a result is clicks over the sum of propensities, and a value depends on it with the
    weight M: the pages of its query for the mean propensity, those of them that do not show it for DR.  Without a
    cluster whose parts of these are c, e and m, M R becomes (M − m) (C − c) / (E − e), which is 0 where no other
    cluster shows the result.

    Args:
        tables: the tables of the plan.
        unseen: M counts the pages that do not show the result, not all.
    """
    shown, pairs = tables.results, tables.pairs
    learned, examined = (shown.lookup(e, of=pairs) for e in (tables.learned, tables.examined))
    pages = pairs.lookup(tables.pages_of_query, of=tables.queries)
    click, rho = col("click"), col("propensity")
    all_shown = shown.sum(tables.copies, into=pairs)
    rest = shown.lookup(pairs.column(pages - all_shown if unseen else pages, "pages"), of=pairs)
    if tables.request.per_user:
        keys = (*tables.request.by_names, "user_id", "query_id")
        of_user = tables.plan.grouped("results_of_users", shown, *keys, "doc_id")
        queries = tables.plan.grouped("queries_of_users", tables.query_pages, *keys)
        own = tables.query_pages.sum(tables.query_page_weight, into=queries)
        own = of_user.lookup(own, of=queries)
        if unseen:
            own = own - shown.sum(tables.copies, into=of_user)
        mine = shown.lookup(of_user.column(own, "own_pages"), of=of_user)
        part = shown.lookup(shown.sum(tables.copies * rho, into=of_user), of=of_user)
    else:
        # Of a page that counts several times one is left out.
        one = when(col("weight") < 1.0).then(col("weight")).otherwise(1.0) if tables.weighted else lit(1.0)
        mine, part = lit(0.0) if unseen else one, one * rho
    others = examined - part
    only = others <= ROUNDING * examined
    change = (rest - mine) * (click - learned * rho) / when(only).then(1.0).otherwise(others)
    return when(only).then((rest - mine) * learned * rho / part).otherwise(change)


def coverage_query(tables: ValueTables) -> TableQuery:
    """A row per run, group and measure: how much of the run was shown."""
    plan, request, values = tables.plan, tables.request, tables.values
    weight = col("weight") if tables.weighted else lit(1.0)
    shown = plan.selected("results", tables.one_row, tables.log, col("shown") > 0)
    of_query = (*request.by_names, "query_id")
    pairs = plan.grouped("shown_pairs", shown, *request.by_names, *PAIR)
    clicks = shown.sum(weight * col("click"), into=pairs)
    pages = plan.grouped("query_pages", tables.log, *of_query, *tables.serp)
    times = tables.log.max(weight, into=pages) if tables.weighted else lit(1.0)
    queries = plan.grouped("queries", pages, *of_query)
    n_pages = pages.sum(times, into=queries)
    keys = ("run_id", *request.by_names, *PAIR)
    results = plan.joined("of_queries", keys, tables.retrieved, queries, on=("query_id",))
    was_shown = results.lookup(pairs.column(lit(1.0) + 0.0 * clicks, "was_shown"), of=pairs).fill_null(0.0)
    in_queries = plan.grouped("queries_in_run", results, "run_id", *of_query)
    all_clicks = pairs.sum(clicks, into=tables.groups)
    all_pages = queries.sum(n_pages, into=tables.groups)
    in_run = in_queries.sum(in_queries.lookup(n_pages, of=queries), into=values)
    hits = results.lookup(clicks, of=pairs).fill_null(0.0)
    rows = []
    for i, measure in enumerate(request.measures):
        with plan.requesting(measure.name):
            weighs = col(f"weight_of_{i}")
            counts = indicator(weighs != 0)
            n_results, n_shown = (results.sum(e, into=values) for e in (counts, counts * was_shown))
            mass = results.lookup(n_pages, of=queries) * weighs
            of_mass, shown_mass = (results.sum(e, into=values) for e in (mass, mass * was_shown))
            clicked = results.sum(counts * hits, into=values)
            rows.append(
                {
                    "measure": lit(measure.name),
                    "n_results": n_results.cast(pl.Int64),
                    "n_shown": n_shown.cast(pl.Int64),
                    "never_shown": ratio(n_results - n_shown, n_results),
                    "never_shown_weight": ratio(of_mass - shown_mass, of_mass),
                    "pages_in_run": ratio(in_run, values.lookup(all_pages, of=tables.groups)),
                    "clicks_in_run": ratio(clicked, values.lookup(all_clicks, of=tables.groups)),
                }
            )
    return TableQuery.stacked(plan, values.frame(), tables.named_keys, rows, tables.sources.checks)
