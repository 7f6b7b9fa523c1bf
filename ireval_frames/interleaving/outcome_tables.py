"""The tables of an interleaving test.

```
shown       a row per shown result             preferences  a row per two results of a page of which users prefer one
pages       a row per page: the rankings' credits           (pairwise interleaving)
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

# The rank of a document that a ranking lacks.
NOWHERE = 1e9
# Credits that differ by less are equal.
SAME = 1e-9
# What to do about a column that no interleaver made.
LOGGED = "Log what ir.interleaving.interleave gives."


def keys_of(groups: Sequence[str], of: str) -> tuple[str, ...]:
    """What a page, query or user of a group is."""
    return (*groups, {"page": "serp_id", "query": "query_id", "user": "user_id"}[of])


class OutcomeTables:
    """The tables of one plan.

    Args:
        plan: the plan.
        rows: group_0 …, serp_id, position, click (0 or 1, Float64), and query_id, user_id, team, candidates, rank_0 …,
            credit_0 … where they are there.
        options: what is looked at; its runs are named.
        groups: the columns that group pages.
    """

    def __init__(self, plan: Plan, rows: Frame, options: OutcomeOptions, groups: Sequence[str]) -> None:
        self.plan, self.options, self.runs, self.columns = plan, options, options.runs or (), rows.columns
        known = {"query": "query_id", "user": "user_id"}
        carried = [known[k] for k in dict.fromkeys((options.unit, options.cluster)) if k in known]
        self.page = (*groups, *carried, *(c for c in ("system", "serp_id") if c in rows.columns))
        self.shown = plan.input("shown", (*self.page, "position"), rows)
        self._refuse()
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

    def _refuse(self) -> None:
        """Ranks and numbers of candidates are from 1, and credits are finite; only ranks may be null."""
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
        return col(f"rank_{run}").cast(pl.Float64).fill_null(NOWHERE)

    # ---- credits

    @cached_property
    def credits(self) -> list[Expr]:
        """In `pages`: the credit of each ranking."""
        runs = range(len(self.runs))
        make = {
            "team-draft": self._of_team,
            "balanced": self._balanced,
            "probabilistic": self._probable,
            "optimized": self._given,
            "pairwise": self._preferred,
        }[self.options.method]
        out = []
        for run in runs:
            with self.plan.requesting(f"credit {self.runs[run]}"):
                credit = make(run)
                if self.options.credit == "any":
                    credit = self.pages.column(indicator(credit > SAME), "any")
                out.append(credit)
        return out

    def _of_team(self, run: int) -> Expr:
        mine = when(col("team") == self.runs[run]).then(self.clicks).otherwise(0.0)
        return self.shown.sum(mine, into=self.pages)

    def _balanced(self, run: int) -> Expr:
        """The clicks among a ranking's first k, k the better rank of the lowest clicked result."""
        shown, position = self.shown, col("position")
        lowest = shown.max(when(self.clicks > 0).then(position), into=self.pages)
        best = min_horizontal(*(self.rank(r) for r in range(len(self.runs))))
        is_lowest = position == shown.lookup(lowest, of=self.pages)
        k = shown.lookup(shown.max(when(is_lowest).then(best), into=self.pages), of=self.pages)
        return shown.sum(when(self.rank(run) <= k).then(self.clicks).otherwise(0.0), into=self.pages)

    def _given(self, run: int) -> Expr:
        return self.shown.sum(self.clicks * col(f"credit_{run}").cast(pl.Float64), into=self.pages)

    def _probable(self, run: int) -> Expr:
        """The probability that the ranking added a clicked result, given the list."""
        if f"credit_{run}" in self.columns:
            return self._given(run)
        chances = [self._chance(r) for r in range(len(self.runs))]
        total = reduce(lambda one, other: one + other, chances)
        share = self.shown.column(ratio(chances[run], total), "share")
        return self.shown.sum(self.clicks * share.fill_null(0.0), into=self.pages)

    def _chance(self, run: int) -> Expr:
        """In `shown`: p(d | list so far) of one ranking, from its rank and those of what stands above."""
        tau, shown = self.options.tau, self.shown
        there = ~col(f"rank_{run}").is_null()
        rank = col(f"rank_{run}").cast(pl.Float64)
        worth = shown.column(when(there).then(rank ** (-tau)).otherwise(0.0), "worth")
        above = shown.over(worth.cum_sum(), self.page, order_by=("position",), name="above", before=True)
        whole = sum(i**-tau for i in range(1, self.options.depth + 1))
        left = shown.column(whole - above.fill_null(0.0), "left")
        return shown.column(when(left > SAME).then(worth / left).otherwise(0.0), "chance")

    @cached_property
    def preferences(self) -> Table:
        """A row per page, clicked result and result that it is preferred to, with the ranks of both."""
        plan, position = self.plan, col("position").cast(pl.Float64)
        runs = range(len(self.runs))
        shown, unclicked = self.shown, self.clicks <= 0
        # A running minimum is null at a null, so there are none.
        at = shown.column(when(unclicked).then(position).otherwise(NOWHERE), "unclicked_at")
        following = shown.over(
            at.cum_min(), self.page, order_by=("position",), name="next_unclicked", descending=True, before=True
        )
        best = shown.column(min_horizontal(*(self.rank(r) for r in runs)), "best")
        ranks = {f"mine_{r}": self.rank(r) for r in runs}
        others = {f"theirs_{r}": self.rank(r) for r in runs}
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
        """In `preferences`: how likely the two were both still there when the second one could be drawn."""
        plan, shown, n = self.plan, self.shown, col("candidates").cast(pl.Float64)
        # The only candidate is always drawn, so such a place lies between no two that were both left.
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
        mine, theirs = col(f"mine_{run}"), col(f"theirs_{run}")
        sign = when(mine < theirs).then(1.0).otherwise(when(mine > theirs).then(-1.0).otherwise(0.0))
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
        """In `units`: how many clicks count."""
        clicks = self.shown.sum(self.clicks, into=self.pages)
        return clicks if self.units is self.pages else self.pages.sum(clicks, into=self.units)

    def outcome(self, one: int, other: int) -> Mapping[str, Expr]:
        """In `groups`: of the units, how many a ranking wins over another, ties and losses, Δ, and standard errors."""
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
        drawn = clusters.count(into=groups)
        said = [
            (units.sum(sign * sign, into=groups) <= 0, "no_outcome"),
            (drawn <= 1, "one_cluster"),
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
            "n_clusters": drawn.cast(pl.Int64),
            "status": _first(said),
        }

    def credit(self, run: int) -> Mapping[str, Expr]:
        """In `groups`: the credit of a ranking in all, and its mean over units with its standard error."""
        units, clusters, groups = self.units, self.clusters, self.groups
        of_unit, n, drawn = self.unit_credits[run], units.count(into=groups), clusters.count(into=groups)
        mean, se = self._mean(of_unit, n)
        return {
            "n": n.cast(pl.Int64),
            "credit": units.sum(of_unit, into=groups),
            "mean": mean,
            "se": se,
            "n_clusters": drawn.cast(pl.Int64),
            "status": _first([(drawn <= 1, "one_cluster"), (se <= 0, "no_variance")]),
        }

    def _mean(self, of_unit: Expr, n: Expr) -> tuple[Expr, Expr]:
        """In `groups`: the mean over units, and its standard error by clusters; 0 where these do not vary."""
        units, clusters, groups = self.units, self.clusters, self.groups
        mean = groups.column(ratio(units.sum(of_unit, into=groups), n), "mean")
        off = units.column(of_unit - units.lookup(mean, of=groups), "off")
        within = off if clusters is units else units.sum(off, into=clusters)
        squares = clusters.sum(within * within, into=groups)
        drawn = clusters.count(into=groups)
        se = groups.column(ratio(ratio(drawn, drawn - 1.0) * squares, n * n), "variance").sqrt()
        # What is left is of rounding.
        return mean, when(se <= SAME).then(0.0).otherwise(se)


def _first(said: Sequence[tuple[Expr, str]]) -> Expr:
    """The first word that applies, or "ok"."""
    out: Expr = lit("ok")
    for applies, word in reversed(said):
        out = when(applies).then(lit(word)).otherwise(out)
    return out
