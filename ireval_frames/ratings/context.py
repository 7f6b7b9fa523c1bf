"""The context of measures of ratings: what their functions compute with."""

from __future__ import annotations

import polars as pl

from ireval_frames import per
from ireval_frames.conventions.ratings import RatingPolicy
from ireval_frames.errors import Argument, Hint, InvalidValue, NotDefined
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ratings.distances import argument_of, bipolar, circular, distance
from ireval_frames.ratings.tables import RatingTables
from ireval_frames.ratios import indicator, ratio, ratio_of


class RatingContext:
    """What a measure of ratings computes with.

    Args:
        tables: the tables of the plan.
        measure: the measure's name, for errors.
        policy: the conventions.
    """

    def __init__(self, tables: RatingTables, measure: str, policy: RatingPolicy) -> None:
        self.tables, self.measure, self.policy = tables, measure, policy
        self._ratio = ratio_of(policy.undefined)

    def ratio(self, numerator: Expr, denominator: Expr) -> per.Same:
        """The ratio; where the denominator is 0, what the policy says of undefined values."""
        return self._ratio(numerator, denominator)

    def level(self, own: str | None = None) -> str:
        """The measure's own level of measurement, or that of the ratings.

        Raises:
            NotDefined: it needs numbers or an order, and the ratings have none.
        """
        inputs, level = self.tables.inputs, own or self.tables.inputs.level
        if level in ("interval", "ratio") and not inputs.numeric:
            raise NotDefined(
                f"{self.measure} at the {level} level is for numbers; the ratings are text.",
                Hint("Cast them, or write ", Argument("level", "nominal"), "."),
            )
        if level == "ordinal" and not inputs.numeric and inputs.categories is None:
            raise NotDefined(
                f"{self.measure} at the ordinal level needs an order; the ratings are text.",
                Hint("Write it, from low to high: ", Argument("categories", ["bad", "fair", "good"])),
            )
        return level

    def ordered(self, what: str = "") -> None:
        """Refuse ratings without an order.

        Raises:
            NotDefined: their level is nominal.
        """
        if self.tables.inputs.level == "nominal":
            raise NotDefined(
                f"{self.measure}{what} needs distances of ratings, which the nominal level does not have.",
                Hint("Name their level: ", Argument("level", "ordinal")),
            )

    def whole_weights(self) -> None:
        """Refuse weights that are fractions: a weight is a number of equal items.

        Raises:
            InvalidValue: with the first result, a weight is a fraction.
        """
        tables, measure = self.tables, self.measure
        if not tables.weighted:
            return

        def fraction(rows: pl.DataFrame, count: int) -> InvalidValue:
            del count
            return InvalidValue(
                f"{measure} counts items, and the weight {rows['weight'][0]:g} is not a whole number.",
                'Weigh by whole numbers, or evaluate "PercentAgreement FleissKappa GwetAC1".',
            )

        weight = col("weight")
        tables.plan.require(tables.items, weight != weight.floor(), fraction)

    def unique_ratings(self) -> None:
        """Refuse raters who rate an item twice, whatever the policy.

        Raises:
            InvalidValue: with the first result, a rater does.
        """
        measure = self.measure

        def twice(rows: pl.DataFrame, count: int) -> InvalidValue:
            more = f"; {count} such pairs" if count > 1 else ""
            return InvalidValue(
                f"{measure} takes one rating of each rater, and {rows['rater_id'][0]!r} rates the item "
                f"{rows['item_id'][0]!r} several times{more}.",
                "Keep one of them: ratings.unique(['item_id', 'rater_id']).",
            )

        if self.policy.duplicates != "error":
            self.tables.unique_ratings(twice)

    # ---- per unit

    @property
    def num_items(self) -> per.Unit:
        """The number of rated items, or their weight; n."""
        return self.over_rated(lit(1.0))

    @property
    def num_ratings(self) -> per.Unit:
        """The number of ratings, or the weight of their items."""
        return self.over_rated(self.m)

    @property
    def num_categories(self) -> per.Unit:
        """The number of categories: of the scale, or of those that occur; q."""
        scale = self.tables.inputs.categories
        return self.tables.categories.count() if scale is None else lit(float(len(scale)))

    @property
    def num_raters(self) -> per.Unit:
        """The number of raters; r."""
        return self.tables.raters.count()

    # ---- per item

    @property
    def m(self) -> per.Rated:
        """At the items: the number of their ratings; m_i."""
        return self.tables.num_ratings

    @property
    def enough(self) -> per.Rated:
        """At the items: 1 where there are two ratings or more, else 0."""
        return self.tables.enough()

    def over_rated(self, term: per.Rated) -> per.Unit:
        """The sum of a term over the items, each times its weight."""
        return self.tables.rated.sum(self.tables.item_weight * term)

    def over_cells(self, term: per.Cell) -> per.Rated:
        """At the items: the sum of a term over the distinct ratings of each."""
        return self.tables.cells.sum(term, into=self.tables.rated)

    def agreement(self, weights: str = "identity") -> per.Rated:
        """At the items: the share of its pairs of ratings that agree; 0 where there are no pairs."""
        m = self.m
        pairs = when(m >= 2.0).then(m * (m - 1.0)).otherwise(1.0)
        if weights == "identity":
            n = col("size")
            return self.over_cells(n * (n - 1.0)) / pairs
        return (self.over_pairs(weights) - m) / pairs

    def over_pairs(self, weights: str) -> per.Rated:
        """At the items: Σ_kl w_kl·n_ik·n_il, a rating with itself included."""
        tables, table = self.tables, self.tables.cell_pairs
        w = self.weight(weights, col("place"), col("other_place"), table)
        return table.sum(col("size") * col("other_size") * w, into=tables.rated)

    def observed(self, weights: str = "identity") -> per.Unit:
        """The mean agreement of the items that have two ratings or more; p_a."""
        return ratio(self.over_rated(self.agreement(weights)), self.over_rated(self.enough))

    # ---- per category

    @property
    def mean_share(self) -> per.Category:
        """At the categories: the mean over the items of the share of their ratings that are of it."""
        cells, tables = self.tables.cells, self.tables
        m = cells.lookup(self.m, of=tables.rated)
        total = tables.categories.lookup(self.num_items, of=tables.units)
        return ratio(cells.sum(tables.weight * col("size") / m, into=tables.categories), total)

    @property
    def pairable(self) -> per.Category:
        """At the categories: the number of ratings, of items that have two or more."""
        cells, tables = self.tables.cells, self.tables
        return cells.sum(tables.weight * col("size") * self.at_cells(self.enough), into=tables.categories)

    def at_cells(self, value: per.Rated) -> per.Cell:
        """A value of the item, at its cells."""
        return self.tables.cells.lookup(self.tables.rated.column(value), of=self.tables.rated)

    def over_categories(self, term: per.Category) -> per.Unit:
        """The sum of a term over the categories that occur."""
        return self.tables.categories.sum(term)

    def quadratic(self, name: str, share: per.Category, weights: str) -> per.Unit:
        """Σ_kl w_kl·p_k·p_l over the categories."""
        if weights == "identity":
            return self.over_categories(share * share)
        table = self.tables.category_pairs(name, share=share)
        w = self.weight(weights, col("place"), col("other_place"), table)
        return table.sum(col("share") * col("other_share") * w)

    def sum_of_weights(self, weights: str) -> per.Unit:
        """Σ_kl w_kl over the scale."""
        if weights == "identity":
            return self.num_categories
        scale = self.tables.inputs.categories
        if scale is None:
            table = self.tables.category_pairs("all")
            return table.sum(self.weight(weights, col("place"), col("other_place"), table))
        places = lit(0.0)
        ends = [self._number(c, i) for i, c in enumerate(scale, 1)]
        for a in ends:
            for b in ends:
                places = places + self._weight(weights, lit(a), lit(b), lit(min(ends)), lit(max(ends)))
        return places

    def _number(self, category: object, at: int) -> float:
        numbers = self.tables.inputs.level in ("interval", "ratio")
        return float(category) if numbers and isinstance(category, int | float) else float(at)

    def weight(self, weights: str, one: per.Same, other: per.Same, table: Table) -> per.Same:
        """At a table: how much two places agree, 1 if they are equal and 0 for the ends of the scale; w_kl."""
        if weights == "identity":
            return indicator(one == other)
        self.ordered(f"(weights={weights!r})")
        return self._weight(weights, one, other, *self.ends(table))

    def distance(self, name: str, table: Table) -> per.Same:
        """At a table of pairs of ratings: their distance by its name; "own" is that of the ratings.

        Raises:
            NotDefined: it needs distances, a scale or an order, and the ratings have none.
            InvalidValue: with the first result, two categories have no distance.
        """
        inputs, one, other = self.tables.inputs, col("place"), col("other_place")
        if name == "ratio":
            return distance(name, *(col(k).cast(pl.Float64) for k in ("rating", "other_rating")))
        if name == "own":
            if inputs.distances is None:
                raise NotDefined(
                    f"{self.measure}(distance='own') needs the distances of the categories.",
                    Hint("Write them: ", argument_of({("bad", "fair"): 1.0, ("bad", "good"): 2.0})),
                )
            return table.lookup(col("distance"), of=self.tables.distances("own", inputs.distances))
        if name == "circular":
            if inputs.categories is None:
                raise NotDefined(
                    f"{self.measure}(distance='circular') needs the complete scale.",
                    Hint("Name all categories: ", Argument("categories", [0, 90, 180, 270])),
                )
            distances = self.tables.distances(name, circular(inputs.categories, inputs.dtype))
            return table.lookup(col("distance"), of=distances)
        self.ordered(f"(distance={name!r})")
        return bipolar(one, other, *self.ends(table)) if name == "bipolar" else distance(name, one, other)

    def ends(self, table: Table) -> tuple[per.Same, per.Same]:
        """At a table: the lowest and the highest place of the scale, or of the categories that occur."""
        tables, scale = self.tables, self.tables.inputs.categories
        if scale is not None:
            places = [self._number(c, i) for i, c in enumerate(scale, 1)]
            return lit(min(places)), lit(max(places))
        place = tables.categories.column(tables.place, "place")
        low, high = (
            table.lookup(e, of=tables.units) for e in (tables.categories.min(place), tables.categories.max(place))
        )
        return low, high

    @staticmethod
    def _weight(weights: str, one: Expr, other: Expr, low: Expr, high: Expr) -> Expr:
        widest = distance(weights, low, high)
        share = distance(weights, one, other) / when(widest > 0.0).then(widest).otherwise(1.0)
        return 1.0 - share

    # ---- chance

    def corrected(self, observed: per.Unit, expected: per.Unit) -> per.Unit:
        """(p_a − p_e) / (1 − p_e)."""
        return self.ratio(observed - expected, 1.0 - expected)
