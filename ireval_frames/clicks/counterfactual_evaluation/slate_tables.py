"""The tables of the value of stochastic rankers.

```
places     a row per shown result: its weights        pages     a row per result page
positions  a row per group and position               clusters  the pages, or a row per user
groups     a row per group of pages
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import polars as pl

from ireval_frames.clicks.checks import outside
from ireval_frames.clicks.counterfactual_evaluation.slate_estimators import SlateEstimator
from ireval_frames.clicks.counterfactual_evaluation.weights import Weights
from ireval_frames.clicks.subject import Impressions
from ireval_frames.engines.frame import Frame
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Plan
from ireval_frames.ratios import ratio

FIX_PAGE = "A document that could not be shown there cannot be weighed: drop or fix its page."


@dataclass(frozen=True, eq=False)
class SlateRequest:
    """A request for the values of stochastic rankers.

    Attributes:
        log: the log.
        targets: the columns of the probabilities of each policy.
        measures: as weights of positions.
        estimators: of their values.
        confidence: of the intervals.
        by: the columns that group pages.
        columns: the further columns that are read, by our names.
        per_user: whether users are drawn, not pages.
        baseline: the index of the target that differences are taken from; None takes none.
    """

    log: Impressions
    targets: tuple[str, ...]
    measures: tuple[Weights, ...]
    estimators: tuple[SlateEstimator, ...]
    confidence: float
    by: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    per_user: bool = False
    baseline: int | None = None

    @property
    def groups(self) -> tuple[str, ...]:
        """What a group of pages is, under aliases."""
        return tuple(f"group_{i}" for i in range(len(self.by)))


@dataclass(frozen=True)
class SlateEstimate:
    """The estimate of one policy, measure and estimator, as columns of the groups."""

    target: int
    measure: int
    estimator: SlateEstimator
    value: Expr
    se: Expr
    sizes: Mapping[str, Expr]


class SlateTables:
    """The tables of one plan.

    Args:
        plan: the plan.
        rows: group_0 …, serp_id, position, propensity, target_0 …, reward, and weight, user_id, expected,
            expected_target where they are read.
        request: what is estimated.
        checks: raise the errors of the data.
    """

    def __init__(
        self, plan: Plan, rows: Frame, request: SlateRequest, checks: Sequence[Callable[[], None]] = ()
    ) -> None:
        self.plan, self.request, self.checks = plan, request, checks
        self.weighted = "weight" in rows.columns
        user = ("user_id",) if request.per_user else ()
        self.page = (*request.groups, *user, *(c for c in ("system", "serp_id") if c in rows.columns))
        self.places = plan.input("places", (*self.page, "position"), rows)
        self.pages = plan.grouped("pages", self.places, *self.page)
        self.clusters = plan.grouped("clusters", self.pages, *request.groups, *user) if request.per_user else self.pages
        self.groups = plan.grouped("groups", self.clusters, *request.groups)
        self.positions = plan.grouped("positions", self.places, *request.groups, "position")
        self._refuse("propensity", "propensity", (col("propensity") <= 0) | (col("propensity") > 1), "(0, 1]")
        for i, name in enumerate(request.targets):
            column = f"target_{i}"
            self._refuse(column, name, (col(column) < 0) | (col(column) > 1), "[0, 1]")
        for column in (c for c in ("reward", "expected", "expected_target") if c in rows.columns):
            self._refuse(column, column, ~col(column).is_finite(), "the numbers")

    def _refuse(self, column: str, name: str, out: Expr, allowed: str) -> None:
        value = col(column)
        self.plan.require(self.places, value.is_null() | value.is_nan() | out, outside(column, name, allowed, FIX_PAGE))

    # ---- how often things count

    @property
    def row_weight(self) -> Expr:
        """How often a place counts."""
        return col("weight") if self.weighted else lit(1.0)

    @cached_property
    def page_weight(self) -> Expr:
        """In `pages`: how often the page counts."""
        return self.places.max(col("weight"), into=self.pages) if self.weighted else lit(1.0)

    @cached_property
    def times(self) -> Expr:
        """In `clusters`: how often the cluster counts."""
        return lit(1.0) if self.request.per_user else self.page_weight

    @cached_property
    def num_pages(self) -> Expr:
        """In `clusters`: how many pages it holds."""
        return self.pages.sum(self.page_weight, into=self.clusters) if self.request.per_user else lit(1.0)

    # ---- weights

    def ratio_of(self, target: int) -> Expr:
        """In `places`: π_e / π_b."""
        return self.places.column(col(f"target_{target}") / col("propensity"), "ratio")

    def weight(self, target: int, kind: str) -> Expr:
        """In `places`: the weight of a place, before the estimator changes it."""
        here, page = self.ratio_of(target), self.page
        if kind == "place":
            return here
        so_far = self.places.over(here.cum_prod(), page, order_by=("position",), name="so_far")
        if kind == "so_far":
            return so_far
        after = self.places.over(
            here.cum_prod(), page, order_by=("position",), name="after", descending=True, before=True
        )
        return self.places.column(so_far * after.fill_null(1.0), "of_list")

    def _terms(self, target: int, measure: int, estimator: SlateEstimator) -> tuple[Expr, Expr]:
        """In `places`: the term of a place, in a sum whose mean over pages is the value; and its weight."""
        places = self.places
        worth = places.column(self.request.measures[measure].at(col("position").cast(pl.Float64)), "worth")
        weight = places.column(estimator.changed(self.weight(target, estimator.kind)), "weight")
        if estimator.name == "CascadeDR":
            before = places.column(
                weight.shift(1).over(*self.page, order_by=["position"]).fill_null(1.0), "weight_before"
            )
            corrected = weight * (col("reward") - col("expected")) + before * col("expected_target")
            return places.column(worth * corrected), weight
        if not estimator.normalised:
            return places.column(weight * worth * col("reward")), weight
        # n/W · w (x − R) + R, with the mean reward R under the weights: its sum is n R, and its spread that of R.
        over = self.positions if estimator.over == "position" else self.groups
        value, times = worth * col("reward"), self.row_weight
        n, weights, rewards = (
            places.sum(e, into=over) for e in (times, times * weight, times * weight * places.column(value, "worth"))
        )
        mean, scale = over.column(ratio(rewards, weights), "mean"), over.column(ratio(n, weights), "scale")
        mean, scale = (places.lookup(e, of=over) for e in (mean, scale))
        return places.column(scale * weight * (value - mean) + mean), weight

    def estimates(self) -> Iterator[SlateEstimate]:
        """Every policy, measure and estimator, in this order."""
        for target in range(len(self.request.targets)):
            for measure in range(len(self.request.measures)):
                for estimator in self.request.estimators:
                    with self.plan.requesting(f"target_{target} {self.request.measures[measure].name} {estimator}"):
                        yield self._estimate(target, measure, estimator)

    def _estimate(self, target: int, measure: int, estimator: SlateEstimator) -> SlateEstimate:
        clusters, groups, times = self.clusters, self.groups, self.times
        term, weight = self._terms(target, measure, estimator)
        if self.request.baseline is not None:
            term = term - self._terms(self.request.baseline, measure, estimator)[0]
        y = self.places.sum((self.row_weight if self.request.per_user else lit(1.0)) * term, into=clusters)
        n, total = clusters.sum(times, into=groups), clusters.sum(times * self.num_pages, into=groups)
        value = groups.column(ratio(clusters.sum(times * y, into=groups), total), "value")
        # A value with an undefined term is undefined.
        undefined = self.places.sum(term.is_null().cast(pl.Float64), into=groups) > 0
        value = groups.column(when(~undefined).then(value), "value")
        off = clusters.column(y - clusters.lookup(value, of=groups) * self.num_pages, "off")
        squares = clusters.sum(times * off * off, into=groups)
        se = groups.column(ratio(n, n - 1.0).fill_null(0.0) * squares / (total * total), "variance").sqrt()
        sums = [self.row_weight, self.row_weight * weight, self.row_weight * weight * weight]
        places, first, second = (self.places.sum(e, into=groups) for e in sums)
        largest = self.places.max(weight, into=groups)
        no_weight, alone = ~(largest > 0), n <= 1
        no_overlap = when(no_weight).then(lit("no_overlap"))
        status = no_overlap.otherwise(when(alone).then(lit("one_cluster")).otherwise(lit("ok")))
        sizes = {
            "n_pages": total if self.weighted else total.cast(pl.Int64),
            **({"n_users": n.cast(pl.Int64)} if self.request.per_user else {}),
            "ess": ratio(first * first, second),
            "mean_weight": ratio(first, places),
            "largest_weight": largest,
            "status": status,
        }
        return SlateEstimate(target, measure, estimator, value, when(~no_weight & ~alone).then(se), sizes)
