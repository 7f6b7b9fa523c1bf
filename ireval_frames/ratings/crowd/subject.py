"""The consensus of ratings, and how good raters are: the part of `Ratings` that is no measure."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import polars as pl

from ireval_frames.conventions.ratings import RatingPolicy
from ireval_frames.errors import InvalidParameter
from ireval_frames.ratings.crowd.aggregation import Aggregation
from ireval_frames.ratings.crowd.aggregation_options import AggregationOptions
from ireval_frames.ratings.crowd.alternative import AlternativeOptions, alternative
from ireval_frames.ratings.crowd.panels import PANELS, panels
from ireval_frames.ratings.crowd.rater_tests import raters
from ireval_frames.ratings.crowd.to_judgments import judgments_of
from ireval_frames.ratings.options import RaterOptions, RatingOptions
from ireval_frames.ratings.request import RatingRequest
from ireval_frames.ratings.result import RatingEvaluation
from ireval_frames.subject import Subject

# Columns of results, which no group may be named like.
RESULTS = ("item_id", "rater_id", "rating", "label", "probability", "entropy", "skill", "agreement", "status")


class Crowd(Subject[RatingPolicy, RatingEvaluation]):
    """Ratings that are aggregated to a consensus.

    Attributes:
        unit: the columns of units.
    """

    unit: tuple[str, ...]
    _options: RatingOptions
    _left_out: tuple[Any, ...]

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
        """The consensus of the raters, a label or a score for each item, and the skill of the raters.

        Args:
            method: of labels "majority", "weighted" (`weights=`, a mapping of raters), "wawa", "zero-based",
                "one-coin", "dawid-skene", "fast-dawid-skene" (hard assignments), "mace", "glad", or "kos" (two labels);
                of numbers "mean", "trimmed" (`share=` at each end), or "unbiased" (without the biases of raters).
            gold: known labels: a frame or a file of item_id and label, or a mapping.
            by: aggregate each of these groups separately; by default the groups of the constructor.
            confidence: of intervals.
            policy: the conventions of this call instead of the constructor's.
            options: of the method: `max_iter`, `tol` (EM stops where the mean log-likelihood per item grows by no
                more; 0: it takes `max_iter` steps and does not warn), `smoothing` (pseudo-counts: the mode under a
                Dirichlet prior), `restarts`, `seed`.

        Where a method stops before it has converged, `status` is "not_converged", with a `ConvergenceWarning`.

        Raises:
            UnknownName, InvalidParameter, NotDefined: the method, an option or gold is not allowed.
            NothingInCommon: gold knows no item that is rated; where fewer than half of its items are rated, there is an
                `OverlapWarning`.

        Example:
            >>> import ireval_frames as ir
            >>> aggregation = ir.Ratings(ir.examples.ratings()).aggregate("majority")
            >>> aggregation.consensus().select("item_id", "label", "probability").row(5)
            ('u06', 1, 0.25)
        """
        request: RatingRequest = self._request(by=by, policy=policy, columns=RESULTS)
        aggregation = AggregationOptions(method, confidence, options, gold)
        rows, names, _ = request.rated()
        return Aggregation.of(rows, aggregation, names, request.inputs(self.engine))

    def raters(
        self,
        *,
        gold: Any = None,
        chance: str = "own",
        correction: str = "holm",
        alpha: float = 0.05,
        confidence: float = 0.95,
        order: str | None = None,
        time: str | None = None,
        by: str | Sequence[str] | None = None,
        policy: RatingPolicy | str | Mapping[str, Any] | None = None,
    ) -> pl.DataFrame:
        """A row per rater: their accuracy, a test against chance, and other signs of careless answers.

        Args:
            gold: known labels, as `aggregate` takes them; by default the label that most of the other raters of the
                item gave, where one label has the most.
            chance: the null hypothesis: a rater who draws from the shares of their own ratings ("own"), or from the
                categories evenly ("even").
            correction: of p-values over the raters of a group (`ir.comparison`): holm, bh, bonferroni …
            alpha: the p-value above which a rater counts as one at chance.
            confidence: of Wilson's intervals of the accuracy.
            order: the column of the order in which a rater answered, for runs.
            time: the column of the time that an answer took.
            by: groups, instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [by …] rater_id n_ratings n_tested accuracy ci_low ci_high chance p_value p_corrected agreement entropy
            most_frequent share_of_it status [longest_run] [median_time].  `agreement` is the mean share of the other
            raters of an item who gave the same; `entropy` is that of the rater's ratings, in bits; `p_value` is the
            exact probability of at least as many correct answers by chance.  `status` is "constant" (one rating for
            all), "at_chance" (not significantly better), "untested", or "ok".

        Raises:
            InvalidParameter, UnknownName: an argument is not allowed.
            NotDefined: the table has no raters.
            InvalidValue, WrongType: the order of a rating is null, or times are no numbers.
            NothingInCommon: gold knows no item that is rated.

        Example:
            >>> import ireval_frames as ir
            >>> raters = ir.Ratings(ir.examples.ratings()).raters()
            >>> raters.select("rater_id", "n_tested", "accuracy", "status").rows()[:2]
            [('a', 8, 1.0, 'ok'), ('b', 9, 1.0, 'ok')]
        """
        options = RaterOptions(chance, correction, alpha, confidence)
        request: RatingRequest = self._request(by=by, policy=policy, columns=RESULTS)
        more = [c for c in (order, time) if c is not None]
        rows, names, extra = request.rated(more)
        inputs, aliases = request.inputs(self.engine), {name: alias for alias, name in names.items()}
        table = raters(
            rows,
            [k for k in names if k not in extra],
            inputs.categories,
            gold,
            options,
            item=inputs.user_columns["item_id"],
            order=None if order is None else aliases[order],
            time=None if time is None else aliases[time],
        )
        return table.rename(names, strict=False)

    def alternative_annotator(
        self,
        judge: str | Sequence[Any],
        *,
        epsilon: float = 0.2,
        alpha: float = 0.05,
        score: str = "equal",
        correction: str = "by",
        min_items: int = 30,
        per_rater: bool = False,
        by: str | Sequence[str] | None = None,
        policy: RatingPolicy | str | Mapping[str, Any] | None = None,
    ) -> pl.DataFrame:
        """Whether a judge, such as a model, can take the place of people: the alternative annotator test.

        Each person is left out in turn.  On an item the judge has the advantage where it is as close to the other
        people as the person, or closer, and the person likewise; d is the person's advantage minus the judge's.  The
        judge wins against a person where a t test says that the mean of d is below `epsilon`.

        Args:
            judge: a rater, or several; all other raters are people.
            epsilon: what a person may be better by and still be replaced: 0.2 for experts, 0.15 for skilled people, 0.1
                for crowds.
            alpha: the rate of false discoveries.
            score: "equal" (the share of the others with the same rating) or "distance" (minus the root mean squared
                difference, of numbers).
            correction: of p-values over people; Benjamini and Yekutieli's.
            min_items: of a person who counts; with fewer the t test does not hold.
            per_rater: a row per judge and person.
            by: groups, instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [by …] judge winning_rate advantage n_raters n_left_out replaces: the share of people the judge wins
            against, its mean advantage over them, how many there are and how many rated too few items; whether it wins
            against half or more.  Or [by …] judge rater_id n_items advantage advantage_of_rater difference p_value
            p_corrected wins status ("ok", or "few").

        Raises:
            NotDefined: the table has no raters, or no item is rated by a judge and two people.
            UnknownName: a judge rated nothing.
            WrongType: distances are of ratings that are no numbers.

        Source: Calderon, Reichart and Dror, The Alternative Annotator Test for LLM-as-a-Judge, ACL 2025.

        Example:
            >>> import ireval_frames as ir
            >>> ratings = ir.Ratings(ir.examples.ratings())
            >>> ratings.alternative_annotator("d", min_items=5).select("judge", "advantage", "n_raters").rows()
            [('d', 1.0, 3)]
        """
        options = AlternativeOptions(epsilon, alpha, score, correction, min_items)
        request: RatingRequest = self._request(by=by, policy=policy, columns=(*RESULTS, "judge"))
        rows, names, extra = request.rated()
        judges = [judge] if isinstance(judge, str) or not isinstance(judge, Iterable) else list(judge)
        keys = [k for k in names if k not in extra]
        return alternative(rows, keys, judges, options, per_rater=per_rater).rename(names, strict=False)

    def panels(
        self,
        judges: Sequence[Any],
        *,
        gold: Any = None,
        methods: Sequence[str] = PANELS,
        weights: Mapping[Any, float] | None = None,
        measures: str = "PercentAgreement CohenKappa",
        confidence: float = 0.95,
    ) -> pl.DataFrame:
        """Each judge, and panels of them, beside people.

        Args:
            judges: the raters that are judges, such as models; the others are people.
            gold: the labels of people: a frame or a file of item_id and label, or a mapping; by default the majority
                of the raters that are no judges.
            methods: how a panel decides (see `aggregate`).
            weights: of judges, for the further method "weighted".
            measures: of the agreement of two raters, over items that both sides have.
            confidence: of intervals over items.

        Intervals take the votes of a panel as known.  Weights that "dawid-skene" estimates from few items vary, too: of
        three judges and 100 items its 95 % intervals hold in 0.83, those of a majority in 0.95 (docs/coverage.md).

        Returns:
            panel measure value ci_low ci_high n_resampled status …: the table of `intervals` for each judge, by its id,
            and each method.

        Raises:
            NotDefined: there are no people and no gold, or the table has no raters.
            NothingInCommon: a judge rated nothing.

        Example:
            >>> import ireval_frames as ir
            >>> ratings = ir.Ratings(ir.examples.ratings())
            >>> table = ratings.panels(["c", "d"], methods=["majority"], measures="PercentAgreement")
            >>> table.select("panel", "value").rows()
            [('c', 0.6666666666666666), ('d', 0.9), ('majority', 0.9)]
        """
        request: RatingRequest = self._request(by=None)
        inputs, options = request.checked().inputs, self._options
        scale = {"level": options.level, "categories": inputs.categories, "distances": options.distances}
        return panels(self, judges, gold, methods, weights, measures, confidence, scale)

    def without(self, raters: Sequence[Any]) -> Self:
        """The same ratings without those of some raters.

        Args:
            raters: their ids; 3 and "3" are the same.

        Raises:
            InvalidParameter: this is no list of ids.
            NothingInCommon: one of them rated nothing; raised with the first result.

        Example:
            >>> import ireval_frames as ir
            >>> ir.Ratings(ir.examples.ratings()).without(["c"]).evaluate("NumRaters").summary()["value"].item()
            3.0
        """
        if not isinstance(raters, Iterable):
            raise InvalidParameter(f"raters is {raters!r}; it holds the ids of raters.", 'Write without(["ann"])')
        out = copy.copy(self)
        out.__dict__["_left_out"] = (*self._left_out, *([raters] if isinstance(raters, str) else raters))
        return out

    def changes(self, without: Sequence[Any], method: str = "majority", **options: Any) -> pl.DataFrame:
        """The items whose consensus changes without some raters.

        Args:
            without: the raters who are left out.
            method: how labels are aggregated (see `aggregate`).
            options: of the method.

        Returns:
            [by …] item_id label probability label_without probability_without; null where nobody else rated the item.

        Example:
            >>> import ireval_frames as ir
            >>> ir.Ratings(ir.examples.ratings()).changes(["d"]).select("item_id", "label", "label_without").rows()
            []
        """
        before = self.aggregate(method, **options)
        after = self.without(without).aggregate(method, **options)
        keys = [*before.by, "item_id"]
        one, other = (a.consensus().select(*keys, "label", "probability") for a in (before, after))
        both = one.join(other, on=keys, how="left", suffix="_without", nulls_equal=True)
        return both.filter(pl.col("label").ne_missing(pl.col("label_without"))).sort(keys)

    def judgments(
        self,
        query: str = "query_id",
        *,
        method: str = "majority",
        grades: Mapping[Any, float] | None = None,
        gold: Any = None,
        policy: RatingPolicy | str | Mapping[str, Any] | None = None,
        **options: Any,
    ) -> pl.DataFrame:
        """Judgments for `ir.evaluate`: the consensus of the raters on each query and document as a grade.

        Args:
            query: the column of queries; the items are documents.
            method: how ratings are aggregated (see `aggregate`), over all queries together.
            grades: the grade of each label, where labels are text.
            gold: known labels: a frame or a file of query_id, doc_id and label, or a mapping of pairs of them.
            policy: the conventions of this call instead of the constructor's.
            options: of the method.

        Returns:
            query_id doc_id relevance.

        Raises:
            WrongType, InvalidValue: labels are no grades.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> rows = [("q", "d1", r, g) for r, g in zip("abc", [1, 2, 2])]
            >>> frame = pl.DataFrame(rows, schema=["query_id", "doc_id", "rater_id", "relevance"], orient="row")
            >>> ir.Ratings(frame, item="doc_id", rating="relevance").judgments().rows()
            [('q', 'd1', 2.0)]
        """
        request: RatingRequest = self._request(by=(), policy=policy, unit=())
        rows, _, (column,) = request.rated([query])
        inputs = request.inputs(self.engine)
        aggregation = AggregationOptions(method, options=options, gold=gold)
        return judgments_of(rows, aggregation, column, grades, inputs)

    def _as_one_unit(self) -> Self:
        """The same ratings as one unit."""
        out = copy.copy(self)
        out.__dict__["unit"] = ()
        return out
