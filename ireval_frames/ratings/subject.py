"""Ratings: who gave which unit which rating, ready to be evaluated."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames import catalog, results
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.errors import InvalidParameter, nearest
from ireval_frames.inputs import Names, named_columns
from ireval_frames.names import columns_named
from ireval_frames.plan import Plan, Table
from ireval_frames.policy import RatingPolicy
from ireval_frames.ratings.aggregation import Aggregation, Asked
from ireval_frames.ratings.checks import checks
from ireval_frames.ratings.cohen import kappas
from ireval_frames.ratings.context import RatingContext
from ireval_frames.ratings.inputs import GIVEN, LEVELS, RatingInputs
from ireval_frames.ratings.result import RatingEvaluation
from ireval_frames.ratings.tables import RatingTables
from ireval_frames.results import Result
from ireval_frames.reweighting import ReweightedBuild
from ireval_frames.subject import Subject


class Ratings(Subject[RatingPolicy, RatingEvaluation]):
    """Units with the ratings that raters gave them: agreement.

    Args:
        ratings: a long table with a row per rating: the unit, the rater and the rating; or a wide one.
        unit, rater, rating, weight: the names of the columns where they differ from unit_id, rater_id, rating, weight
            (and the names other tools use).  A weight is that of a unit, which counts so many times.
        raters: the columns of a wide table, a row per unit, that hold the ratings of a rater each.
        group: columns whose groups of units are evaluated one by one and then averaged; by default all units are one.
        by: columns that group results.
        level: what ratings are: "nominal" (categories), "ordinal" (in an order), "interval" or "ratio" (numbers).
        categories: the scale, from low to high, where not all of it occurs, or its order is not that of the ratings.
        policy: the conventions (see `RatingPolicy`), such as `policy="duplicates=trust"`.
        engine: "polars" or "duckdb"; by default where the ratings are.
        con: a DuckDB connection; strings are then names of its tables (or paths).
        columns: what the columns are called, ours → theirs; the keywords above are short forms of it.
        storage_options: what the stores of remote paths are told, as in `{"aws_region": "eu-central-1"}`.

    Ratings may be text, enums, integers, booleans or floats; null and NaN are no rating.

    Raises:
        MissingColumn, WrongType: the table lacks columns, or has other types.
        UnknownName, InvalidParameter, NotDefined: an engine, policy, level or column that does not exist.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"unit_id": [1, 1, 2, 2], "rater_id": ["a", "b"] * 2, "rating": ["x", "x", "x", "y"]})
        >>> ir.Ratings(frame).evaluate("PercentAgreement CohenKappa").summary()["value"].to_list()
        [0.5, 0.0]
        >>> wide = pl.DataFrame({"a": ["x", "x"], "b": ["x", "y"]})
        >>> ir.Ratings(wide, raters=["a", "b"]).evaluate("PercentAgreement").summary()["value"].item()
        0.5
    """

    family = "ratings"
    conventions = RatingPolicy
    result = RatingEvaluation
    result_columns = (
        *Subject.result_columns,
        *("unit_id", "rater_id", "rating", "rater_a", "rater_b", "agreement", "kappa"),
        *("n_ratings", "n_raters", "n_rated"),
    )

    def __init__(
        self,
        ratings: Any,
        *,
        unit: str | None = None,
        rater: str | None = None,
        rating: str | None = None,
        weight: str | None = None,
        raters: str | Sequence[str] = (),
        group: str | Sequence[str] = (),
        by: str | Sequence[str] = (),
        level: str = "nominal",
        categories: Sequence[Any] | None = None,
        policy: RatingPolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            {"ratings": ratings},
            first="ratings",
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            storage_options=storage_options,
        )
        if level not in LEVELS:
            raise InvalidParameter(f"level is {level!r}.", nearest(str(level), LEVELS))
        self.unit = self.grouping("group", group)
        self.columns = named_columns(columns, dict(zip(GIVEN, (unit, rater, rating, weight), strict=True)))
        self.raters, self.level, self.categories = columns_named(raters), level, categories

    @results.result
    def pairwise(
        self,
        *,
        weights: str = "identity",
        by: str | Sequence[str] | None = None,
        policy: RatingPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """Every two raters who share units: how many, the share on which they agree, and Cohen's kappa.

        Args:
            weights: how far categories lie apart (see `CohenKappa`).
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [by …] [group] rater_a rater_b n_rated agreement kappa; the number of units, or their weight.

        Raises:
            NotDefined: it is not known who rated.

        Example:
            >>> import ireval_frames as ir
            >>> pairs = ir.Ratings(ir.examples.ratings()).pairwise()
            >>> pairs.select("rater_a", "rater_b", "n_rated", "agreement").row(0)
            ('a', 'b', 9.0, 0.8888888888888888)
        """
        grouped, conventions = self.options(by, policy, (), self.unit)
        build = RatingBuild(self, conventions, grouped)
        asked = catalog.parse(f"CohenKappa(weights={weights!r})", self.family)

        def pairs(tables: RatingTables) -> tuple[Table, dict[str, nw.Expr]]:
            context, table, cells = build.context(tables, asked.name), tables.rater_pairs, tables.shared_cells
            kappa = kappas(context, asked.arguments()["weights"])
            n = cells.sum(tables.shared_size, into=table)
            same = nw.when(nw.col("first_rating") == nw.col("second_rating")).then(tables.shared_size).otherwise(0.0)
            share = cells.sum(same, into=table) / n
            return table, {**{k: nw.col(k) for k in table.keys}, "n_rated": n, "agreement": share, "kappa": kappa}

        return build.table(pairs, "pairs of raters")

    def aggregate(
        self,
        method: str = "dawid-skene",
        *,
        gold: Any = None,
        by: str | Sequence[str] | None = None,
        confidence: float = 0.95,
        policy: RatingPolicy | str | Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Aggregation:
        """A label or a score for each unit, of what raters say together, and the skill of the raters.

        Args:
            method: of labels "majority", "weighted" (`weights=`, a mapping of raters), "wawa", "zero-based",
                "one-coin", "dawid-skene", "fast-dawid-skene" (hard assignments), "mace", "glad", or "kos" (two labels);
                of numbers "mean", "trimmed" (`share=` at each end), or "unbiased" (without the biases of raters).
            gold: labels that are known: a frame of unit_id and label, or a mapping.
            by: aggregate each of these groups alone; by default the groups of the constructor.
            confidence: of intervals.
            policy: the conventions of this call instead of the constructor's.
            options: of the method: `max_iter`, `tol` (the growth of the log-likelihood of a unit at which EM stops),
                `smoothing` (pseudo-counts: the mode under a Dirichlet prior), `restarts`, `seed`.

        Raises:
            UnknownName, InvalidParameter, NotDefined: the method, an option or gold cannot be meant.

        Example:
            >>> import ireval_frames as ir
            >>> made = ir.Ratings(ir.examples.ratings()).aggregate("majority")
            >>> made.consensus().select("unit_id", "label", "probability").row(5)
            ('u06', 1, 0.25)
        """
        grouped, conventions = self.options(by, policy, (), self.unit)
        asked = Asked(method, options, gold, confidence)
        build = RatingBuild(self, conventions, grouped)
        rows, names, _ = build.rated()
        inputs = build.inputs(self.engine)
        return Aggregation.made(
            asked, rows, list(names), list(names.values()), inputs.categories, numeric=inputs.numeric
        )

    def without_groups(self) -> Ratings:
        """The same ratings as one group."""
        out = copy.copy(self)
        out.__dict__["unit"] = ()
        return out

    def build(
        self, policy: RatingPolicy | None = None, by: tuple[str, ...] | None = None, asked: Sequence[Measure] = ()
    ) -> RatingBuild:
        """What makes the plans of this subject."""
        del asked
        return RatingBuild(self, policy or self.policy, self.by if by is None else by)


class RatingBuild(ReweightedBuild[Ratings, RatingPolicy, RatingTables, RatingInputs]):
    """Makes the plan of one evaluation on any engine."""

    def inputs(self, engine: Engine, given: Mapping[str, Any] | None = None) -> RatingInputs:
        """The tables as handed in; `given` replaces some."""
        subject = self.subject
        return RatingInputs(
            {**subject.given, **(given or {})}["ratings"],
            Names(subject.columns, self.by, subject.unit),
            engine,
            self.policy,
            raters=subject.raters,
            level=subject.level,
            categories=subject.categories,
        )

    def on(self, inputs: RatingInputs, measures: Sequence[Measure], *, ordered: bool = False) -> RatingTables:
        """The tables of a plan for the measures."""
        del measures
        return RatingTables(Plan(inputs.engine, ordered=ordered), inputs)

    def context(self, tables: RatingTables, measure: str) -> RatingContext:
        """What the functions of measures are handed."""
        return RatingContext(tables, measure, self.policy)

    def checks(self, tables: RatingTables) -> list[Callable[[], None]]:
        """What the data must not hold."""
        return checks(tables)

    def rated(self, more: Sequence[str] = ()) -> tuple[pl.DataFrame, dict[str, str], list[str]]:
        """The ratings that count, collected, the data checked: keys, `item_id`, `rater_id`, `rating`, `weight`.

        Args:
            more: further columns of the user's.

        Returns:
            The rows; the user's names by alias; the aliases of `more`.
        """
        extra = [c for c in more if c not in (*self.by, *self.subject.unit)]
        build = RatingBuild(self.subject, self.policy, (*self.by, *extra))
        engine = self.subject.engine
        tables = build.checked()
        inputs = tables.inputs
        counts = ~nw.col("rating").is_null()
        rows = inputs.ratings
        if tables.weighted:
            rows = engine.join(rows, inputs.items, tables.item, "inner")
            counts &= nw.col("weight") > 0.0
        with engine.errors():
            found = engine.collect(rows.filter(counts))
        aliases = {theirs: ours for ours, theirs in inputs.names.items()}
        return found, inputs.names, [aliases[c] for c in extra]

    def count_measures(self) -> dict[str, Measure]:
        """What `per_unit(counts=True)` adds."""
        named = {"n_rated": "NumRatedUnits", "n_ratings": "NumRatings"}
        return {column: catalog.parse(name, "ratings") for column, name in named.items()}
