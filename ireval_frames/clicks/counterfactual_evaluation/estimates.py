"""Values, standard errors and sample sizes, as columns of the table of values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from ireval_frames.clicks.counterfactual_evaluation.estimators import Estimator
from ireval_frames.clicks.counterfactual_evaluation.left_out import without
from ireval_frames.clicks.counterfactual_evaluation.tables import ValueTables
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ratios import ratio

OK, UNCLICKED, ALONE, MODEL, ESTIMATED = "ok", "no_overlap", "one_cluster", "model", "estimated_propensities"


@dataclass(frozen=True)
class Estimate:
    """What is told of one measure by one estimator, as columns of the table of values."""

    value: Expr
    se: Expr
    clicks: Expr
    ess: Expr
    status: Expr


class Estimates:
    """The estimates of a plan."""

    def __init__(self, tables: ValueTables) -> None:
        self.tables, self.asked = tables, tables.asked
        clusters, groups = tables.clusters, tables.groups
        self.num_clusters = clusters.sum(tables.times, into=groups)
        self.num_pages = clusters.sum(tables.times * tables.num_pages, into=groups)
        self._squared_pages = clusters.sum(tables.times * tables.num_pages * tables.num_pages, into=groups)

    def of_group(self, expr: Expr) -> Expr:
        """A column of `groups`, in `values`."""
        return self.tables.values.lookup(expr, of=self.tables.groups)

    def all(self) -> Iterator[tuple[int, Estimator, Estimate]]:
        """The measure's place, the estimator, and what is told, in the order asked."""
        for measure, weights in enumerate(self.asked.measures):
            for estimator in self.asked.estimators:
                with self.tables.plan.requesting(f"{weights.name} {estimator}"):
                    yield measure, estimator, self._estimate(measure, estimator)

    def _estimate(self, measure: int, estimator: Estimator) -> Estimate:
        tables, values = self.tables, self.tables.values
        if estimator.kind.model:
            finer, y, lost = self._with_model(measure, estimator)
        else:
            finer, y = tables.sums, self._corrected(measure, estimator.term())
            lost = y
        times = self._of_cluster(finer, tables.times)
        if estimator.kind.ratio:
            x, total, squared = self._relevant(finer)
        else:
            x = self._of_cluster(finer, tables.num_pages)
            total, squared = self.num_pages, self._squared_pages
        total, squared = self.of_group(total), self.of_group(squared)
        sum_y = finer.sum(times * y, into=values)
        sum_yy, sum_xy = (finer.sum(times * lost * other, into=values) for other in (lost, x))
        value = values.column(ratio(sum_y, total), "value")
        # Σ (y − value · x)², of clusters without rows of the run too, whose y is 0.  Where relevance was learned, y is
        # what the sum loses without the cluster.
        squares = values.column(sum_yy - 2.0 * value * sum_xy + value * value * squared, "squares")
        n = self.of_group(self.num_clusters)
        spread = when(squares > 0).then(squares).otherwise(0.0)
        variance = values.column(ratio(ratio(n, n - 1.0) * spread, total * total), "variance")
        clicks, ess = self._sizes(measure, estimator)
        unclicked, alone = clicks <= 0, n <= 1
        if estimator.name == "DM":
            return Estimate(value, lit(None, dtype=pl.Float64), clicks, ess, lit(MODEL))
        good = ESTIMATED if tables.asked.estimated and estimator.name != "naive" else OK
        blind = when(unclicked).then(lit(UNCLICKED))
        status = blind.otherwise(when(alone).then(lit(ALONE)).otherwise(lit(good)))
        se = when(~unclicked & ~alone).then(variance.sqrt())
        return Estimate(value, values.column(se, "se"), clicks, ess, status)

    def _of_cluster(self, finer: Table, expr: Expr) -> Expr:
        """A column of the clusters, for each row of a table with a row per run and cluster."""
        return finer.lookup(expr, of=self.tables.clusters) if expr.columns else expr

    def _corrected(self, measure: int, term: Expr) -> Expr:
        """In `sums`: what the rows of a cluster count for."""
        tables = self.tables
        return tables.matched.sum(tables.row_weight * col(f"weight_of_{measure}") * term, into=tables.sums)

    def _with_model(self, measure: int, estimator: Estimator) -> tuple[Table, Expr, Expr]:
        """In a table of runs and clusters: the estimated relevance of what the run retrieves, put right where shown.

        The second expression is what the whole loses with the cluster: relevance that the log tells of is another one
        without it.
        """
        tables = self.tables
        given = tables.sources.relevance is not None and not estimator.kind.learns
        modelled, added = tables.modelled(measure, given=given)
        if estimator.name == "DM":
            return modelled, added, added

        def put_right(term: Expr) -> Expr:
            return modelled.column(
                added + modelled.lookup(self._corrected(measure, term), of=tables.sums).fill_null(0.0)
            )

        inverse = col("click") / col("propensity")
        if given:
            same = put_right(inverse - col("relevance").fill_null(0.0))
            return modelled, same, same
        shown = tables.counted
        lost = shown.column(without(tables, unseen=estimator.name == "DR"), "lost")
        if estimator.name != "DR":
            return modelled, added, put_right(lost)
        once = inverse - shown.lookup(tables.learned, of=tables.pairs)
        return modelled, put_right(once), put_right(once + lost)

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
        """The clicks on what the run retrieves, and how many of equal weight would tell as much: (Σw)² / Σw²."""
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
        # A model whose relevance was handed in reads no propensities.
        unread = estimator.name == "DM" and not tables.has_propensities
        if unread or estimator.name in ("naive", "affine"):
            inverse = click
        terms = (weight * flag, weight * flag * inverse, weight * flag * inverse * inverse)
        clicks, first, second = (sums.sum(tables.matched.sum(t, into=sums), into=values) for t in terms)
        ess = lit(None, dtype=pl.Float64) if unread else values.column(ratio(first * first, second), "ess")
        return clicks, ess
