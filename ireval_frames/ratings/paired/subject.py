"""Paired comparisons of items: strengths, win rates, and the bias of the judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.schema import PAIRED, SCORED_PAIRS
from ireval_frames.columns.user_names import columns_named
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.opening import Source, open_engine, open_source
from ireval_frames.errors import Argument, Hint, InvalidParameter, MissingColumn, listed, nearest
from ireval_frames.expr import lit
from ireval_frames.io.any_table import is_text_table
from ireval_frames.io.reading import TABLE
from ireval_frames.items.inputs import ItemNames, found_in, named_columns
from ireval_frames.parameters import CONFIDENCE
from ireval_frames.ratings.paired import estimates
from ireval_frames.ratings.paired.covariates import SIDES
from ireval_frames.ratings.paired.options import StrengthOptions
from ireval_frames.ratings.paired.rows import check_order, known_clusters, numbers_of_text, outcomes
from ireval_frames.ratings.paired.strengths import effects, strengths


class PairedComparisons:
    """Which of two items was preferred: by raters, or by a model that judges.

    Args:
        comparisons: a table with a row per comparison: both items and the winner.
        a, b, winner: the names of the columns where they differ from item_a, item_b, winner.  The first item is the one
            that was shown first.  The winner is one of the items, "a" or "b", or a tie ("tie", "bothbad", null).
        unit: the column of what they were compared for, such as a prompt or a query.
        length_a, length_b: columns of the lengths of both, for the bias towards the longer one.
        order: the column of the order of comparisons, for Elo; ties are broken by the items.
        by: columns that group results.
        engine: "polars", "duckdb" or "spark"; by default where the comparisons are.

    Raises:
        MissingColumn: the table lacks a column.
        WrongType: items of both columns have types that cannot be equal, or lengths are no numbers.
        InvalidValue: an item is missing or stands against itself, the winner is neither item nor a tie, or a score is
            not between 0 and 1.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> rows = [("x", "y", "x"), ("x", "y", "y"), ("y", "x", "x"), ("x", "y", "tie")]
        >>> frame = pl.DataFrame(rows, schema=["item_a", "item_b", "winner"], orient="row")
        >>> found = ir.ratings.PairedComparisons(frame).strengths()
        >>> found.select("item_id", pl.col("value").round(3), "wins", "status").rows()
        [('x', 0.255, 2.0, 'converged'), ('y', -0.255, 1.0, 'converged')]
    """

    def __init__(
        self,
        comparisons: Any,
        *,
        a: str | None = None,
        b: str | None = None,
        winner: str | None = None,
        score: str | None = None,
        unit: str | None = None,
        length_a: str | None = None,
        length_b: str | None = None,
        order: str | None = None,
        by: str | Sequence[str] = (),
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
    ) -> None:
        self.by = columns_named(by)
        short = {"item_a": a, "item_b": b, "winner": winner, "score": score, "unit_id": unit, "order": order}
        named = named_columns(columns, {**short, "length_a": length_a, "length_b": length_b})
        named = {k: v for k, v in named.items() if v}
        if {"winner", "score"} <= set(named):
            raise InvalidParameter("Comparisons have winners or scores.", Hint("Leave out ", Argument("winner", None)))
        self._engine = open_engine(comparisons, engine, con)
        self._frame = open_source(Source(comparisons, "comparisons", TABLE), self._engine)
        schema = SCORED_PAIRS if "score" in named else PAIRED
        self._names = found_in(schema, self._frame, ItemNames(named, self.by))
        self._of_text = is_text_table(comparisons)
        self._rows = self._counted()

    def _counted(self, cluster: str | None = None, covariates: Sequence[str] = ()) -> pl.DataFrame:
        """The comparisons, equal ones counted by the engine, with their clusters and covariates."""
        columns = {**self._names}
        if cluster is not None:
            columns["cluster"] = self._column(cluster)
        for name in covariates:
            sides = [name + side for side in SIDES]
            if not set(sides) <= set(columns):
                present = set(self._frame.columns)
                own = sides if set(sides) <= present else [name] if name in present else None
                if own is None:
                    raise MissingColumn(
                        f"The comparisons table has no columns {sides[0]!r} and {sides[1]!r}, and no column {name!r} "
                        f"(it has: {listed(self._frame.columns, 20)}).",
                        "Name a covariate by the beginning of its two columns.",
                    )
                columns |= {c: c for c in own}
        keys = list(dict.fromkeys([*self.by, *columns.values()]))
        grouped = [c for c in keys if c != columns.get("order")]
        with self._engine.errors():
            count = [Aggregate("n", "count", lit(1.0))]
            rows = self._engine.collect(
                self._frame.select(*keys)
                if "order" in columns
                else self._engine.group(self._frame.lazy(), grouped, count)
            )
        n = pl.lit(1.0) if "order" in columns else pl.col("n")
        rows = rows.select(*self.by, **{ours: pl.col(own) for ours, own in columns.items()}, n=n)
        if self._of_text:
            rows = numbers_of_text(rows, [c for c in columns if c not in ("item_a", "item_b", "winner", "unit_id")])
        if cluster is not None:
            known_clusters(rows, cluster)
        rows = outcomes(rows)
        # What is drawn stands in one order on every engine.
        return rows.sort(rows.columns) if covariates else rows

    def _column(self, name: str) -> str:
        """The user's name of a column that is one of ours or of the table's.

        Raises:
            MissingColumn: it is neither.
        """
        if name in self._frame.columns:
            return name
        if name in self._names:
            return self._names[name]
        raise MissingColumn(
            f"The comparisons table has no column {name!r} (it has: {listed(self._frame.columns, 20)}).",
            nearest(name, list(self._frame.columns)) or "Name another one.",
        )

    def strengths(
        self,
        model: str = "bradley-terry",
        *,
        cluster: str | None = None,
        covariates: str | Sequence[str] = (),
        form: str = "relative",
        first: bool = False,
        method: str | None = None,
        confidence: float = 0.95,
        prior: float = 0.0,
        step: float = 32.0,
        n_resamples: int = 200,
        seed: int = 0,
    ) -> pl.DataFrame:
        """A row per item, the strongest first.

        Strengths are on the scale of the logistic ("bradley-terry", and "davidson" with ties) or of the normal
        distribution ("thurstone"), with mean 0 over connected items; or they are Elo's ratings.  The likelihood is
        maximised by Newton's method; a `ConvergenceWarning` says where it stopped early.  Ratings as of Chatbot Arena
        are 400/ln 10·value + 1000.

        With covariates, P(a beats b) = σ(θ_a − θ_b + x·β): strengths between items of the same length and style, and
        `effects` has β.

        Args:
            model: bradley-terry, davidson, thurstone, or elo (which goes by `order`).
            cluster: the column of what is resampled with all its comparisons, such as prompts or users; by default
                comparisons are independent.
            covariates: what both items have: "length" stands for the columns length_a and length_b.  A column of that
                very name is the difference of both, or says how far something favours the first.
            form: of the differences of covariates: "relative" (a − b)/(a + b), divided by its root mean square, which
                does not depend on which item is first; "arena" (a − b)/(a + b + 1), standardised, as Chatbot Arena's
                style control; "tanh" of the difference in standard deviations, as AlpacaEval; "difference", in standard
                deviations.
            first: whether the item shown first has an advantage of its own, another covariate.
            method: of intervals: "likelihood" (normal ones, of independent comparisons), "sandwich" (Student's, from
                the variance between clusters, or comparisons; of bradley-terry), "percentile" (of replicates).  By
                default percentile with clusters and of Elo, else likelihood.
            confidence: of intervals.
            prior: the number of comparisons that are added to each compared pair, half of them won by either item;
                above 0 every strength is finite.
            step: K of Elo.
            n_resamples: the number of replicates; 0 is no interval.  Of Elo the comparisons keep their order.
            seed: of the draws.

        Returns:
            [by …] item_id value se ci_low ci_high n wins ties component status rank; status is "converged", "unbounded"
            (the likelihood has no maximum, and there is no value: some items always or never win against others; in
            Davidson's model also where ν grows without bound), "singular" (no standard error can be computed),
            "not_converged" (the value of the last step, without an error), "alone" (compared with no other item), or of
            Elo, which has nothing to fit, "ok".  Values of different components are not comparable.  `rank` is 1 and
            the number of items whose interval lies above.  Replicates in which an item has no finite strength are left
            out, and a `SampleWarning` says so.

        Raises:
            UnknownName, InvalidParameter: a model or an option is not allowed, or Elo has no order, or a step with
                which its ratings overflow.
            MissingColumn: there is no column of clusters or covariates.
            InvalidValue: a comparison has no order, which Elo needs, no cluster or no covariate, or a covariate does
                not vary.
            WrongType: a covariate is no number.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> rows = [("x", "y", "xxxy"[i % 4], i % 25) for i in range(100)]
            >>> names = ["item_a", "item_b", "winner", "prompt_id"]
            >>> pairs = ir.ratings.PairedComparisons(pl.DataFrame(rows, schema=names, orient="row"))
            >>> by_prompt = pairs.strengths(cluster="prompt_id", prior=0.5)
            >>> by_prompt.select("item_id", pl.col("value").round(3), "status", "rank").rows()
            [('x', 0.546, 'converged', 1), ('y', -0.546, 'converged', 2)]
        """
        options = self._options(
            model=model, confidence=confidence, prior=prior, step=step, n_resamples=n_resamples, seed=seed,
            method=method, clustered=cluster is not None, covariates=covariates, form=form, first=first,
        )  # fmt: skip
        rows = self._counted(cluster, options.covariates)
        if model == "elo":
            check_order(rows)
        return self._per_group(lambda part: strengths(part, options), rows)

    def effects(
        self,
        covariates: str | Sequence[str] = (),
        *,
        first: bool = False,
        form: str = "relative",
        cluster: str | None = None,
        method: str | None = None,
        confidence: float = 0.95,
        prior: float = 0.0,
        n_resamples: int = 200,
        seed: int = 0,
    ) -> pl.DataFrame:
        """The effect of each covariate on who wins, between items of equal strength.

        Args:
            covariates: as of `strengths`.
            first: as of `strengths`.
            form: as of `strengths`.
            cluster: as of `strengths`.
            method: as of `strengths`.
            confidence: as of `strengths`.
            prior: as of `strengths`.
            n_resamples: as of `strengths`.
            seed: as of `strengths`.

        Returns:
            [by …] covariate value se ci_low ci_high p_value unit: the coefficient β, in log odds per `unit` of the
            scaled difference (per root mean square or standard deviation; "first" is 1), and Wald's test that it is 0.

        Raises:
            InvalidParameter: there is no covariate.
            MissingColumn, InvalidValue, WrongType: as of `strengths`.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> rows = [("x", "y", "xxy"[i % 3], 300 - 5 * i, 100 + i) for i in range(60)]
            >>> names = ["item_a", "item_b", "winner", "length_a", "length_b"]
            >>> pairs = ir.ratings.PairedComparisons(pl.DataFrame(rows, schema=names, orient="row"))
            >>> pairs.effects("length").select("covariate", pl.col("value").round(3)).rows()
            [('length', 0.091)]
        """
        options = self._options(
            model="bradley-terry", confidence=confidence, prior=prior, step=32.0, n_resamples=n_resamples, seed=seed,
            method=method, clustered=cluster is not None, covariates=covariates, form=form, first=first,
        )  # fmt: skip
        if not options.controlled:
            raise InvalidParameter("There is no covariate.", Hint("Write ", Argument("first", value=True)))
        rows = self._counted(cluster, options.covariates)
        return self._per_group(lambda part: effects(part, options), rows)

    def _options(self, *, covariates: str | Sequence[str], **values: Any) -> StrengthOptions:
        names = columns_named(covariates)
        options = StrengthOptions(**values, covariates=names)
        if options.model == "elo" and "order" not in self._names:
            raise InvalidParameter(
                "Elo's ratings depend on the order of the comparisons.",
                Hint("Name its column: ", Argument("order", "time")),
            )
        return options

    def win_rates(self, *, confidence: float = 0.95) -> pl.DataFrame:
        """A row per item: the share of its comparisons that it won, ties counting half, with its interval.

        The standard error is that of the mean over units (prompts) where they are known, else over comparisons.  Where
        scores do not vary, as of an item that always wins, the interval is Wilson's, and there is no standard error.

        Args:
            confidence: of Student's interval, or Wilson's.

        Returns:
            [by …] item_id win_rate se ci_low ci_high n_units n.
        """
        CONFIDENCE.check("confidence", confidence)
        return self._per_group(lambda rows: estimates.win_rates(rows, confidence))

    def bias(self, *, confidence: float = 0.95) -> pl.DataFrame:
        """What the judge prefers besides the better item.

        Args:
            confidence: of Wilson's intervals.

        Returns:
            [by …] bias share ci_low ci_high n p_value.  "first": the share of comparisons with a winner that the item
            shown first won; "longer": that the longer item won; "consistent": of units whose two items were compared
            in both orders, the share with one outcome; "first_of_inconsistent": of the others, where both had a winner,
            the share in which it was the first.  `p_value` is the exact sign test of one half, but for "consistent".
        """
        CONFIDENCE.check("confidence", confidence)
        return self._per_group(lambda rows: estimates.bias(rows, confidence))

    def _per_group(
        self, estimate: Callable[[pl.DataFrame], pl.DataFrame], rows: pl.DataFrame | None = None
    ) -> pl.DataFrame:
        rows = self._rows if rows is None else rows
        if not self.by:
            return estimate(rows)
        groups = rows.sort(self.by).partition_by(self.by, as_dict=True, maintain_order=True).items()
        parts = []
        for key, part in groups:
            names = [pl.Series(b, [k], dtype=rows.schema[b]) for b, k in zip(self.by, key, strict=True)]
            parts.append(pl.DataFrame(names).join(estimate(part), how="cross"))
        return pl.concat(parts, how="vertical_relaxed") if parts else estimate(rows)
