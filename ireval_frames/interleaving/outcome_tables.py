"""The tables of an interleaving test.

```
shown       a row per shown result             preferences  a row per pair of results of a page of which users prefer
pages       a row per page: the rankings' credits           one (pairwise interleaving)
units       the pages, or a row per query or user
clusters    the units, or a row per user       groups       a row per group of pages
```
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, reduce

import polars as pl

from ireval_frames.clicks.checks import outside
from ireval_frames.engines.frame import Frame
from ireval_frames.expr import Expr, col, lit, max_horizontal, min_horizontal, when
from ireval_frames.interleaving.options import GRADED, OutcomeOptions
from ireval_frames.plan import Plan, Table
from ireval_frames.ratios import indicator, ratio

# The rank of a document that a ranking does not have.
MISSING_RANK = 1e9
# Smaller differences of credits count as ties.
SAME = 1e-9
# The hint about a column with wrong values.
LOGGED = "Log the columns of ir.interleaving.interleave."


def keys_of(groups: Sequence[str], of: str) -> tuple[str, ...]:
    """The key columns of pages, queries or users of a group."""
    return (*groups, {"page": "serp_id", "query": "query_id", "user": "user_id"}[of])


class OutcomeTables:
    """The tables of one plan.

    Args:
        plan: the plan.
        rows: group_0 …, serp_id, position, click (0 or 1, Float64), and query_id, user_id, team, candidates, rank_0 …,
            credit_0 … if the log has them.
        options: with the names of the runs.
        groups: the columns that group pages.
    """

    def __init__(self, plan: Plan, rows: Frame, options: OutcomeOptions, groups: Sequence[str]) -> None:
        self.plan, self.options, self.runs, self.columns = plan, options, options.runs or (), rows.columns
        known = {"query": "query_id", "user": "user_id"}
        carried = [known[k] for k in dict.fromkeys((options.unit, options.cluster)) if k in known]
        self.page = (*groups, *carried, *(c for c in ("system", "serp_id") if c in rows.columns))
        self.shown = plan.input("shown", (*self.page, "position"), rows)
        self._require_values()
        self.pages = plan.grouped("pages", self.shown, *self.page)
        self.units = (
            self.pages if options.unit == "page" else plan.grouped("units", self.pages, *keys_of(groups, options.unit))
        )
        same = options.cluster == options.unit
        self.clusters = (
            self.units
            if same
            else plan.grouped("clusters", self.units, *keys_of(groups, options.cluster or options.unit))
        )
        self.groups = plan.grouped("groups", self.clusters, *groups)

    def _require_values(self) -> None:
        """Require ranks and numbers of candidates from 1, and finite credits; only ranks may be null."""
        for i, name in enumerate(self.runs):
            rank, credit = (col(f"{k}_{i}").cast(pl.Float64) for k in ("rank", "credit"))
            if f"rank_{i}" in self.columns:
                bad = ~rank.is_null() & ~(rank.is_finite() & (rank >= 1.0))
                self.plan.require(self.shown, bad, outside(f"rank_{i}", f"rank_{name}", "1 and more, or null", LOGGED))
            if f"credit_{i}" in self.columns:
                bad = credit.is_null() | ~credit.is_finite()
                self.plan.require(self.shown, bad, outside(f"credit_{i}", f"credit_{name}", "finite numbers", LOGGED))
        if "candidates" in self.columns:
            n = col("candidates").cast(pl.Float64)
            bad = n.is_null() | ~(n.is_finite() & (n >= 1.0))
            self.plan.require(self.shown, bad, outside("candidates", "candidates", "1 and more", LOGGED))

    # ---- clicks

    @cached_property
    def clicks(self) -> Expr:
        """In `shown`: 1 for a click that counts."""
        shown, position = self.shown, col("position")
        click = col("click")
        if not self.options.common_prefix:
            same = [self.rank(r) == position.cast(pl.Float64) for r in range(len(self.runs))]
            flag = shown.column(indicator(reduce(lambda one, other: one & other, same)), "same")
            prefix = shown.over(flag.cum_min(), self.page, order_by=("position",), name="prefix")
            click = shown.column(click * (1.0 - prefix), "counted")
        if self.options.credit in ("first", "last"):
            at = when(click > 0).then(position)
            end = shown.min(at, into=self.pages) if self.options.credit == "first" else shown.max(at, into=self.pages)
            click = shown.column(indicator((click > 0) & (position == shown.lookup(end, of=self.pages))), "counted")
        return click

    def rank(self, run: int) -> Expr:
        """In `shown`: the rank of a result in a ranking."""
        return col(f"rank_{run}").cast(pl.Float64).fill_null(MISSING_RANK)

    # ---- credits

    @cached_property
    def credits(self) -> list[Expr]:
        """In `pages`: the credit of each ranking."""
        runs = range(len(self.runs))
        make = {
            "team-draft": self._of_team,
            "balanced": self._balanced,
            "probabilistic": self._probabilistic,
            "optimized": self._credit_column,
            "pairwise": self._preferred,
        }[self.options.method]
        credits_by_run = []
        for run in runs:
            with self.plan.requesting(f"credit {self.runs[run]}"):
                credit = make(run)
                if self.options.credit == "any":
                    credit = self.pages.column(indicator(credit > SAME), "any")
                credits_by_run.append(credit)
        return credits_by_run

    def _of_team(self, run: int) -> Expr:
        own_clicks = when(col("team") == self.runs[run]).then(self.clicks).otherwise(0.0)
        return self.shown.sum(own_clicks, into=self.pages)

    def _balanced(self, run: int) -> Expr:
        """The clicks among a ranking's top k, where k is the better rank of the lowest clicked result."""
        shown, position = self.shown, col("position")
        lowest = shown.max(when(self.clicks > 0).then(position), into=self.pages)
        best = min_horizontal(*(self.rank(r) for r in range(len(self.runs))))
        is_lowest = position == shown.lookup(lowest, of=self.pages)
        k = shown.lookup(shown.max(when(is_lowest).then(best), into=self.pages), of=self.pages)
        return shown.sum(when(self.rank(run) <= k).then(self.clicks).otherwise(0.0), into=self.pages)

    def _credit_column(self, run: int) -> Expr:
        return self.shown.sum(self.clicks * col(f"credit_{run}").cast(pl.Float64), into=self.pages)

    def _probabilistic(self, run: int) -> Expr:
        """The probability that the ranking added a clicked result, given the list."""
        if f"credit_{run}" in self.columns:
            return self._credit_column(run)
        probabilities = [self._probability(r) for r in range(len(self.runs))]
        total = reduce(lambda one, other: one + other, probabilities)
        share = self.shown.column(ratio(probabilities[run], total), "share")
        return self.shown.sum(self.clicks * share.fill_null(0.0), into=self.pages)

    def _probability(self, run: int) -> Expr:
        """In `shown`: p(d | list so far) of one ranking, from its rank and those of the results above."""
        tau, shown = self.options.tau, self.shown
        exists = ~col(f"rank_{run}").is_null()
        rank = col(f"rank_{run}").cast(pl.Float64)
        weight = shown.column(when(exists).then(rank ** (-tau)).otherwise(0.0), "worth")
        above = shown.over(weight.cum_sum(), self.page, order_by=("position",), name="above", before=True)
        total = sum(i**-tau for i in range(1, self.options.depth + 1))
        remaining = shown.column(total - above.fill_null(0.0), "left")
        return shown.column(when(remaining > SAME).then(weight / remaining).otherwise(0.0), "chance")

    @cached_property
    def preferences(self) -> Table:
        """A row per page, clicked result and result to which it is preferred, with the ranks of both."""
        plan, position = self.plan, col("position").cast(pl.Float64)
        runs = range(len(self.runs))
        shown, unclicked = self.shown, self.clicks <= 0
        # A running minimum is null at nulls, so unclicked positions get a number.
        at = shown.column(when(unclicked).then(position).otherwise(MISSING_RANK), "unclicked_at")
        following = shown.over(
            at.cum_min(), self.page, order_by=("position",), name="next_unclicked", descending=True, before=True
        )
        best = shown.column(min_horizontal(*(self.rank(r) for r in runs)), "best")
        ranks = {f"own_{r}": self.rank(r) for r in runs}
        others = {f"other_{r}": self.rank(r) for r in runs}
        clicked = plan.selected(
            "clicked", (*self.page, "at"), shown, where=~unclicked, at=position, next=following, best=best, **ranks
        )
        passed = plan.selected(
            "passed", (*self.page, "other_at"), shown, where=unclicked, other_at=position, other_best=best, **others
        )
        keys = (*self.page, "at", "other_at")
        pairs = plan.joined("pairs", keys, clicked, passed, on=self.page)
        preferred = (col("other_at") < col("at")) | (col("other_at") == col("next"))
        above = max_horizontal(col("best"), col("other_best"))
        low = min_horizontal(col("best"), col("other_best"))
        both = (col("at") >= above) & (col("other_at") >= above)
        same = {c: col(c) for c in (*self.page, "at", "other_at", *ranks, *others)}
        return plan.selected("preferences", keys, pairs, where=preferred & both, **same, above=above, low=low)

    @cached_property
    def _weight(self) -> Expr:
        """In `preferences`: the probability that both were still undrawn when the second one could be drawn."""
        plan, shown, n = self.plan, self.shown, col("candidates").cast(pl.Float64)
        # The only candidate is always drawn, so such a position is between no two results that were both undrawn.
        stays = shown.column(when(n > 1).then(1.0 - ratio(1.0, n)).otherwise(1.0), "stays")
        so_far = shown.over(stays.cum_prod(), self.page, order_by=("position",), name="stayed")
        following = col("position").cast(pl.Float64) + 1.0
        upto = plan.selected("upto", (*self.page, "above"), shown, above=following, stayed_upto=so_far)
        below = plan.selected("below", (*self.page, "low"), shown, low=following, stayed_below=so_far)
        last, first = (
            self.preferences.lookup(col(c), of=t).fill_null(1.0)
            for c, t in (("stayed_upto", upto), ("stayed_below", below))
        )
        return self.preferences.column(last / first, "weight")

    def _preferred(self, run: int) -> Expr:
        own, other = col(f"own_{run}"), col(f"other_{run}")
        sign = when(own < other).then(1.0).otherwise(when(own > other).then(-1.0).otherwise(0.0))
        return self.preferences.sum(sign / self._weight, into=self.pages)

    # ---- outcomes

    @cached_property
    def unit_credits(self) -> list[Expr]:
        """In `units`: the credit of each ranking."""
        if self.units is self.pages:
            return self.credits
        return [self.pages.sum(c, into=self.units) for c in self.credits]

    @cached_property
    def unit_clicks(self) -> Expr:
        """In `units`: the number of clicks that count."""
        clicks = self.shown.sum(self.clicks, into=self.pages)
        return clicks if self.units is self.pages else self.pages.sum(clicks, into=self.units)

    def outcome(self, one: int, other: int) -> Mapping[str, Expr]:
        """In `groups`: the numbers of units that a ranking wins, ties and loses against another, Δ, standard errors."""
        units, clusters, groups = self.units, self.clusters, self.groups
        difference = units.column(self.unit_credits[one] - self.unit_credits[other], "difference")
        won, lost = indicator(difference > SAME), indicator(difference < -SAME)
        wins, losses = (units.sum(e, into=groups) for e in (won, lost))
        n = units.count(into=groups)
        sign = units.column(won - lost, "sign")
        outcome = sign
        if self.options.method in GRADED:
            clicks = self.unit_clicks
            each = when(clicks > 0).then(ratio(difference, clicks)).otherwise(0.0)
            outcome = units.column(each, "outcome")
        mean, se = self._mean(outcome, n)
        credit, credit_se = self._mean(difference, n)
        n_clusters = clusters.count(into=groups)
        statuses = [
            (units.sum(sign * sign, into=groups) <= 0, "no_outcome"),
            (n_clusters <= 1, "one_cluster"),
            (se <= 0, "constant_shift"),
        ]
        return {
            "n": n.cast(pl.Int64),
            "wins": wins.cast(pl.Int64),
            "ties": (n - wins - losses).cast(pl.Int64),
            "losses": losses.cast(pl.Int64),
            "delta": mean / 2.0,
            "se": se / 2.0,
            "credit_difference": credit,
            "credit_se": credit_se,
            "n_clusters": n_clusters.cast(pl.Int64),
            "status": _first(statuses),
        }

    def credit(self, run: int) -> Mapping[str, Expr]:
        """In `groups`: the total credit of a ranking, and its mean over units with its standard error."""
        units, clusters, groups = self.units, self.clusters, self.groups
        of_unit, n, n_clusters = self.unit_credits[run], units.count(into=groups), clusters.count(into=groups)
        mean, se = self._mean(of_unit, n)
        return {
            "n": n.cast(pl.Int64),
            "credit": units.sum(of_unit, into=groups),
            "mean": mean,
            "se": se,
            "n_clusters": n_clusters.cast(pl.Int64),
            "status": _first([(n_clusters <= 1, "one_cluster"), (se <= 0, "no_variance")]),
        }

    def _mean(self, of_unit: Expr, n: Expr) -> tuple[Expr, Expr]:
        """In `groups`: the mean over units, and its standard error by clusters; 0 where these do not vary."""
        units, clusters, groups = self.units, self.clusters, self.groups
        mean = groups.column(ratio(units.sum(of_unit, into=groups), n), "mean")
        deviation = units.column(of_unit - units.lookup(mean, of=groups), "off")
        within = deviation if clusters is units else units.sum(deviation, into=clusters)
        squares = clusters.sum(within * within, into=groups)
        n_clusters = clusters.count(into=groups)
        se = groups.column(ratio(ratio(n_clusters, n_clusters - 1.0) * squares, n * n), "variance").sqrt()
        # Smaller values are rounding.
        return mean, when(se <= SAME).then(0.0).otherwise(se)


def _first(statuses: Sequence[tuple[Expr, str]]) -> Expr:
    """The first status that applies, or "ok"."""
    status: Expr = lit("ok")
    for applies, name in reversed(statuses):
        status = when(applies).then(lit(name)).otherwise(status)
    return status
