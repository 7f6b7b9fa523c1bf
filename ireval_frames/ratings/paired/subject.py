"""Paired comparisons of items: strengths, the effects of covariates, and length-controlled win rates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.user_names import columns_named
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.parameters import CONFIDENCE
from ireval_frames.ratings.paired.comparisons import Comparisons
from ireval_frames.ratings.paired.length_controlled import length_controlled
from ireval_frames.ratings.paired.options import StrengthOptions
from ireval_frames.ratings.paired.rows import check_order
from ireval_frames.ratings.paired.strengths import effects, strengths
from ireval_frames.ratings.paired.topics import topics


class PairedComparisons(Comparisons):
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
        >>> strengths = ir.ratings.PairedComparisons(frame).strengths()
        >>> strengths.select("item_id", pl.col("value").round(3), "wins", "status").rows()
        [('x', 0.255, 2.0, 'converged'), ('y', -0.255, 1.0, 'converged')]
    """

    def strengths(
        self,
        model: str = "bradley-terry",
        *,
        cluster: str | None = None,
        covariates: str | Sequence[str] = (),
        form: str = "relative",
        first: bool = False,
        ties: str = "all",
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
            ties: which ties count, as half a win of each item: "all", "good" (not those where both were bad) or "none".
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
            method=method, clustered=cluster is not None, covariates=covariates, form=form, first=first, ties=ties,
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
        ties: str = "all",
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
            ties: as of `strengths`.
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
            method=method, clustered=cluster is not None, covariates=covariates, form=form, first=first, ties=ties,
        )  # fmt: skip
        if not options.controlled:
            raise InvalidParameter("There is no covariate.", Hint("Write ", Argument("first", value=True)))
        rows = self._counted(cluster, options.covariates)
        return self._per_group(lambda part: effects(part, options), rows)

    def topics(
        self,
        topic: str,
        model: str = "bradley-terry",
        *,
        cluster: str | None = None,
        ties: str = "all",
        method: str | None = None,
        confidence: float = 0.95,
        prior: float = 0.0,
        correction: str = "holm",
        n_resamples: int = 200,
        seed: int = 0,
    ) -> pl.DataFrame:
        """Whether items are stronger in one topic than in the others.

        Args:
            topic: the column of topics, such as categories or languages of prompts.
            model: bradley-terry, davidson or thurstone.
            cluster: as of `strengths`.
            ties: as of `strengths`.
            method: as of `strengths`.
            confidence: as of `strengths`.
            prior: as of `strengths`.
            correction: of p-values over all topics and items.
            n_resamples: as of `strengths`.
            seed: as of `strengths`.

        Returns:
            [by …] topic item_id value se ci_low ci_high others difference difference_se p_value p_corrected n status:
            the strength in the topic, the strength in all other topics among the same items, and Wald's test that both
            are equal; null where topic and others do not link the same items.

        Raises:
            MissingColumn: there is no such column.
            InvalidValue: a comparison has no topic.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> rows = [("x", "y", "xxy"[i % 3], "code") for i in range(30)]
            >>> rows += [("x", "y", "xyy"[i % 3], "prose") for i in range(60)]
            >>> names = ["item_a", "item_b", "winner", "topic"]
            >>> pairs = ir.ratings.PairedComparisons(pl.DataFrame(rows, schema=names, orient="row"))
            >>> pairs.topics("topic").select("topic", "item_id", pl.col("difference").round(3)).rows()[:2]
            [('code', 'x', 0.693), ('code', 'y', -0.693)]
        """
        if model == "elo":
            raise InvalidParameter("Elo's ratings have no topics.", Hint("Write ", Argument("model", "bradley-terry")))
        options = self._options(
            model=model, confidence=confidence, prior=prior, step=32.0, n_resamples=n_resamples, seed=seed,
            method=method, clustered=cluster is not None, covariates=(), form="relative", first=False, ties=ties,
        )  # fmt: skip
        rows = self._counted(cluster, more={"topic": topic})
        return self._per_group(lambda part: topics(part, options, correction), rows)

    def length_controlled(
        self, baseline: Any, *, difficulty: str | None = None, prior: float = 0.0, confidence: float = 0.95
    ) -> pl.DataFrame:
        """The win rate of each item against one item, as if all answers were as long as that item's.

        P(item wins) = σ(θ + φ·tanh(Δ/s) + ψ·γ), Δ the item's length minus the baseline's and s its standard deviation,
        γ the difficulty of the unit; the controlled win rate is the mean of σ(θ + ψ·γ).  This is AlpacaEval's model by
        maximum likelihood: its own numbers also have an L1 penalty chosen by cross-validation and two artificial
        baselines, which draw φ towards 0.

        Args:
            baseline: the item that all others were compared with.
            difficulty: the column of γ, which AlpacaEval publishes for its own instructions.
            prior: the number of comparisons that are added to each item, half of them won.
            confidence: of Student's intervals over units, or comparisons.

        Returns:
            [by …] item_id win_rate controlled se ci_low ci_high length_effect effect_se difficulty_effect n status: the
            share of wins as it is, and with equal lengths; φ, ψ.  `status` is "converged", "unbounded" (the item always
            won or always lost), "one_length" (lengths do not vary), "singular", or "alone" (never compared with the
            baseline).

        Raises:
            UnknownName: there is no such item.
            NotDefined: comparisons have no lengths.
            MissingColumn, InvalidValue: the difficulty of a unit is missing.

        Source: Dubois, Galambosi, Liang and Hashimoto, Length-Controlled AlpacaEval, COLM 2024.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> rows = [("base", "x", "x" if i % 4 else "base", i, 100, 60 + 60 * (i % 4)) for i in range(40)]
            >>> rows += [("base", "x", "x" if i % 3 else "base", 40 + i, 100, 90 + 10 * (i % 2)) for i in range(30)]
            >>> names = ["item_a", "item_b", "winner", "unit_id", "length_a", "length_b"]
            >>> pairs = ir.ratings.PairedComparisons(pl.DataFrame(rows, schema=names, orient="row"))
            >>> pairs.length_controlled("base").select(pl.col("win_rate", "controlled").round(3)).row(0)
            (0.714, 0.793)
        """
        CONFIDENCE.check("confidence", confidence)
        rows = self._counted(covariates=() if difficulty is None else [difficulty])
        return self._per_group(lambda part: length_controlled(part, baseline, difficulty, prior, confidence), rows)

    def _options(self, *, covariates: str | Sequence[str], **values: Any) -> StrengthOptions:
        options = StrengthOptions(**values, covariates=columns_named(covariates, "covariates"))
        if options.model == "elo" and "order" not in self._names:
            raise InvalidParameter(
                "Elo's ratings depend on the order of the comparisons.",
                Hint("Name its column: ", Argument("order", "time")),
            )
        if options.first and not self.in_order:
            raise InvalidParameter(
                "Both orders became one comparison, so no item of it was shown first.",
                Hint("Leave out ", Argument("first", value=True)),
            )
        return options
