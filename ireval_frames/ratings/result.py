"""The result of an evaluation of ratings: what every evaluation gives, and intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.user_names import columns_named
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.parameters import CONFIDENCE
from ireval_frames.ratings.coded import coded
from ireval_frames.ratings.intervals.standard_errors import SCHEMA, clusters, interval
from ireval_frames.ratings.request import RatingRequest
from ireval_frames.resampling import bootstrap


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

        Analytic: of coefficients of agreement Student's interval with the standard error of the delta method,
        se² = n/(n − 1)·Σ_i (∂θ/∂w_i)²; of `ICC` by F, of the limits of agreement Bland and Altman's.  Items are what
        is drawn, raters stay the same.

        Args:
            method: "analytic", or one of `ir.resampling.bootstrap`: "percentile", "basic", "normal", "bca".
            cluster: columns that name what items are drawn with: topics, documents.
            confidence: of the intervals.
            n_resamples: how many, where items are resampled.
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
            >>> found = ir.Ratings(ir.examples.ratings()).evaluate("FleissKappa GwetAC1").intervals()
            >>> found.select("measure", "value", "se", "ci_low").with_columns(pl.selectors.float().round(3)).rows()
            [('FleissKappa', 0.761, 0.135, 0.464), ('GwetAC1', 0.775, 0.125, 0.501)]
        """
        CONFIDENCE.check("confidence", confidence)
        together = columns_named(cluster, "cluster")
        if method != "analytic":
            return self._resampled(method, together, confidence, n_resamples, seed)
        request = self._request
        subject = request.subject
        inputs = request.inputs(self.engine)
        units = self.per_unit()
        rows, names, extra = request.rated(together)
        keys = [k for k in names if k not in extra]
        theirs = [names[k] for k in keys]
        out: list[dict[str, Any]] = []
        values = {(*key, m): v for *key, m, v in units.select(*theirs, "measure", "value").rows()}
        for numbers in (False, True):
            of_kind = [m for m in self.measures if numbers == _numbers(m, subject.level)]
            for of in coded(rows, keys, scale=_scale(inputs.categories, rows), numbers=numbers) if of_kind else ():
                here = [pl.col(k).eq_missing(v) for k, v in zip(keys, of.key, strict=True)]
                group = clusters(rows.filter(here) if here else rows, extra, of, names) if extra else None
                for measure in of_kind:
                    value = values.get((*of.key, str(measure)))
                    value = float("nan") if value is None else value
                    told = interval(of, measure, value, inputs, group, confidence)
                    out.append(dict(zip(theirs, of.key, strict=True)) | {"measure": str(measure)} | told)
        types: dict[str, Any] = {t: rows.schema[k] for k, t in zip(keys, theirs, strict=True)}
        made = pl.DataFrame(out, schema=types | SCHEMA)
        made = made.with_columns(pl.lit("analytic").alias("method"), pl.selectors.float().fill_nan(None))
        order = pl.DataFrame({"measure": [str(m) for m in self.measures]}).with_row_index("_order")
        return made.join(order, on="measure", how="left").sort(*theirs, "_order").drop("_order")

    def _resampled(
        self, method: str, cluster: Sequence[str], confidence: float, n_resamples: int, seed: int
    ) -> pl.DataFrame:
        subject, request = self._request.subject, self._request
        made = bootstrap(
            subject.without_groups(),
            self.measures,
            by=[*request.by, *request.unit],
            cluster=cluster or None,
            method=method,  # type: ignore[arg-type]  # it is looked at there
            confidence=confidence,
            n_resamples=n_resamples,
            seed=seed,
            policy=request.policy,
        )
        table = made.table().with_columns(df=pl.lit(None, pl.Float64), p_value=pl.lit(None, pl.Float64))
        return table.select(*request.by, *request.unit, *SCHEMA)


def _numbers(measure: Any, level: str) -> bool:
    """Whether a measure reads ratings as the numbers they are."""
    return (measure.arguments().get("level") or level) in ("interval", "ratio")


def _scale(categories: Sequence[Any] | None, rows: pl.DataFrame) -> list[Any] | None:
    """The categories, and those of the rows where they are numbers of another type."""
    return None if categories is None else pl.Series(list(categories)).cast(rows["rating"].dtype).to_list()
