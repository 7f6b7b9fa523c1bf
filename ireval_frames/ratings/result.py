"""The evaluation of ratings, with intervals of its measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames.columns.user_names import columns_named
from ireval_frames.declaration import Measure
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.parameters import choice, option
from ireval_frames.ratings.coded import coded
from ireval_frames.ratings.intervals.standard_errors import SCHEMA, clusters_of_items, interval
from ireval_frames.ratings.request import RatingRequest
from ireval_frames.resampling import bootstrap
from ireval_frames.resampling.intervals import METHODS
from ireval_frames.resampling.options import ResamplingOptions


@dataclass(frozen=True)
class IntervalOptions(ResamplingOptions):
    """How intervals of measures are computed: by the delta method, or by resampling items."""

    method: str = option(choice("analytic", *METHODS, what="how intervals are computed"))  # type: ignore[assignment]


class RatingEvaluation(Evaluation):
    """The results of an evaluation of ratings; it prints as its summary."""

    _request: RatingRequest

    def intervals(
        self,
        method: str = "analytic",
        *,
        cluster: str | Sequence[str] = (),
        confidence: float = 0.95,
        n_resamples: int = 1000,
        seed: int = 0,
    ) -> pl.DataFrame:
        """The measures' values with their intervals, a row per group and measure.

        Analytic intervals of coefficients of agreement are Student's, with the standard error of the delta method,
        se² = n/(n − 1)·Σ_i (∂θ/∂w_i)²; those of `ICC` are by F, those of limits of agreement Bland and Altman's.  Items
        are a sample, raters are fixed.

        Args:
            method: "analytic", or one of `ir.resampling.bootstrap`: "percentile", "basic", "normal", "bca".
            cluster: columns of the clusters in which items are drawn: topics, documents.
            confidence: of the intervals.
            n_resamples: the number of replicates, where items are resampled.
            seed: of the draws.

        Returns:
            [by …] [unit] measure value ci_low ci_high se df p_value n_resampled method status.  `p_value` is that of a
            coefficient of 0, of analytic intervals; `n_resampled` counts items or clusters.  Null where a value is
            undefined; `status` says why: undefined, one_unit (a single item or cluster), or degenerate (no item changes
            the value).

        Raises:
            NotDefined: the measure has no analytic interval.
            InvalidParameter, UnknownName: an argument is not allowed.

        Source: Gwet, British Journal of Mathematical and Statistical Psychology 2008.

        Example:
            >>> import ireval_frames as ir
            >>> intervals = ir.Ratings(ir.examples.ratings()).evaluate("FleissKappa GwetAC1").intervals()
            >>> intervals.select("measure", "value", "se", "ci_low").with_columns(pl.selectors.float().round(3)).rows()
            [('FleissKappa', 0.761, 0.135, 0.464), ('GwetAC1', 0.775, 0.125, 0.501)]
        """
        options = IntervalOptions(method, confidence, n_resamples, seed)
        cluster = columns_named(cluster, "cluster")
        if method != "analytic":
            return self._resampled(cluster, options)
        request = self._request
        inputs = request.inputs(self.engine)
        units = self.per_unit()
        rows, names, clusters = request.rated(cluster)
        keys = [k for k in names if k not in clusters]
        by = [names[k] for k in keys]
        values = {(*key, m): v for *key, m, v in units.select(*by, "measure", "value").rows()}
        table: list[dict[str, Any]] = []
        for as_numbers in (False, True):
            measures = [m for m in self.measures if as_numbers == _reads_numbers(m, request.options.level)]
            groups = coded(rows, keys, scale=_scale(inputs.categories, rows), numbers=as_numbers) if measures else ()
            for group in groups:
                of_group = [pl.col(k).eq_missing(v) for k, v in zip(keys, group.key, strict=True)]
                in_group = rows.filter(of_group) if of_group else rows
                cluster_ids = clusters_of_items(in_group, clusters, group, names) if clusters else None
                for measure in measures:
                    value = values.get((*group.key, str(measure)))
                    value = float("nan") if value is None else value
                    row = interval(group, measure, value, inputs, cluster_ids, confidence)
                    table.append(dict(zip(by, group.key, strict=True)) | {"measure": str(measure)} | row)
        types: dict[str, Any] = {name: rows.schema[k] for k, name in zip(keys, by, strict=True)}
        result = pl.DataFrame(table, schema=types | SCHEMA)
        result = result.with_columns(pl.lit("analytic").alias("method"), pl.selectors.float().fill_nan(None))
        order = pl.DataFrame({"measure": [str(m) for m in self.measures]}).with_row_index("_order")
        return result.join(order, on="measure", how="left").sort(*by, "_order").drop("_order")

    def _resampled(self, cluster: Sequence[str], options: IntervalOptions) -> pl.DataFrame:
        subject, request = self._request.subject, self._request
        groups = [*request.by, *request.unit]
        result = bootstrap(
            subject._as_one_unit(),
            self.measures,
            by=groups,
            cluster=cluster or None,
            policy=request.policy,
            **options.arguments(),
        )
        table = result.table().with_columns(df=pl.lit(None, pl.Float64), p_value=pl.lit(None, pl.Float64))
        return table.select(*groups, *SCHEMA)


def _reads_numbers(measure: Measure, level: str) -> bool:
    """Whether a measure reads ratings as numbers, and not as categories."""
    return (measure.arguments().get("level") or level) in ("interval", "ratio")


def _scale(categories: Sequence[Any] | None, rows: pl.DataFrame) -> list[Any] | None:
    """The categories in the type of the ratings."""
    return None if categories is None else pl.Series(list(categories)).cast(rows["rating"].dtype).to_list()
