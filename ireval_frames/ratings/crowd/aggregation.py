"""The consensus of raters, a label or a number for each item, and what it says of the raters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.crowds.answers import Answers, Array, Consensus
from ireval_frames.crowds.scores import Scores
from ireval_frames.displayed import Displayed
from ireval_frames.errors import ConvergenceWarning, InvalidParameter, NotDefined, warn
from ireval_frames.ratings.coded import Coded, coded
from ireval_frames.ratings.crowd.aggregation_options import MEANS, MODELS, SCORES, AggregationOptions
from ireval_frames.ratings.crowd.gold import gold_of, known
from ireval_frames.ratings.inputs import RatingInputs


@dataclass(frozen=True, eq=False)
class Group:
    """A group's ratings, and what a model estimates from them."""

    ratings: Coded
    answers: Answers
    estimate: Consensus | Scores

    @property
    def labels(self) -> Consensus | None:
        """The estimate, if it is of labels."""
        return self.estimate if isinstance(self.estimate, Consensus) else None

    @property
    def scores(self) -> Scores | None:
        """The estimate, if it is of scores."""
        return self.estimate if isinstance(self.estimate, Scores) else None


@dataclass(eq=False, repr=False)
class Aggregation(Displayed):
    """The consensus of ratings as labels or scores (`Ratings.aggregate`); it prints as `consensus()`.

    Attributes:
        options: the method and its options.
        by: the columns of groups.
    """

    options: AggregationOptions
    by: Sequence[str]
    _groups: list[Group] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        rows: pl.DataFrame,
        options: AggregationOptions,
        names: Mapping[str, str],
        inputs: RatingInputs,
        item: str | None = None,
    ) -> Aggregation:
        """The aggregation of each group of rows.

        Args:
            rows: a row per rating.
            options: the method.
            names: the user's names of the columns of groups, by their aliases.
            inputs: the scale and the type of the ratings.
            item: the user's name of the column of items, where it is not that of the inputs.

        Raises:
            NotDefined: scores of text.
            NothingInCommon: gold knows no item that is rated.
        """
        scores = options.method in SCORES
        if scores and not inputs.numeric:
            raise NotDefined(
                f"{options.method} aggregates numbers; the ratings are text.", 'Write aggregate("majority").'
            )
        if options.gold is not None:
            gold = gold_of(options.gold, rows["item_id"], item or inputs.user_columns["item_id"])
            options = replace(options, gold=gold)
        groups = [
            _group(options, ratings, scores=scores)
            for ratings in coded(rows, list(names), scale=inputs.categories, numbers=scores)
            if len(ratings.item)
        ]
        early = [g.estimate for g in groups if _status(g) == "not_converged"]
        # With a tolerance of 0 the number of steps is what was requested.
        if early and options.options.get("tol") != 0:
            steps = max(estimate.n_iter for estimate in early)
            where = f" in {len(early)} of {len(groups)} groups" if names else ""
            warn(
                f"{options.method} did not converge in {steps} steps (max_iter){where}; more steps may change results.",
                ConvergenceWarning,
            )
        return cls(options, list(names.values()), groups)

    # ---- results

    def consensus(self) -> pl.DataFrame:
        """A row per item.

        Returns:
            [by …] item_id label probability entropy n_ratings status: the likeliest label (of ties the first of the
            scale), its probability, and the entropy of all labels in bits; of GLAD also the difficulty.  Of scores:
            [by …] item_id value se n_ratings component status; items of different components share no raters, directly
            or by other items.  `status` is "converged" or "not_converged", or "ok" where the method does not iterate.
        """
        return self._stacked(self._items)

    def probabilities(self) -> pl.DataFrame:
        """A row per item and label: [by …] item_id label probability.

        Raises:
            NotDefined: scores have none.
        """

        def of(group: Group) -> dict[str, Any]:
            posterior, ratings = _labels(group).posterior, group.ratings
            n, k = posterior.shape
            labels = ratings.categories[np.tile(np.arange(k), n)]
            items = ratings.items[np.repeat(np.arange(n), k)]
            return {"item_id": items, "label": labels, "probability": posterior.ravel()}

        return self._stacked(of)

    def raters(self) -> pl.DataFrame:
        """A row per rater.

        Returns:
            [by …] rater_id n_ratings skill agreement ci_low ci_high status: the skill in the model's own terms (the
            probability of a correct answer; of wawa and zero-based the agreement; of GLAD α; of MACE the probability
            of not guessing; of KOS relative to the best rater), and the expected share of answers that agree with the
            consensus, with Wilson's interval.  Of scores: [by …] rater_id n_ratings bias se status.  `status` is as in
            `consensus`.
        """
        return self._stacked(self._raters)

    def confusion(self) -> pl.DataFrame:
        """A row per rater, true label and answered label: [by …] rater_id label rating probability.

        Raises:
            NotDefined: the model has no confusion matrices.
        """

        def of(group: Group) -> dict[str, Any]:
            labels, ratings = group.labels, group.ratings
            if labels is None or labels.confusion is None:
                raise NotDefined(f"{self.options.method} has no confusion matrices.", 'Write aggregate("dawid-skene").')
            r, k, _ = labels.confusion.shape
            rater, label, answer = (x.ravel() for x in np.indices((r, k, k)))
            return {
                "rater_id": ratings.raters[rater],
                "label": ratings.categories[label],
                "rating": ratings.categories[answer],
                "probability": np.swapaxes(labels.confusion, 1, 2).ravel(),
            }

        return self._stacked(of)

    def summary(self) -> pl.DataFrame:
        """A row per group: [by …] method n_items n_raters n_iter converged log_likelihood status.

        `status`: converged; not_converged; ok (the method does not iterate); unconnected (of scores, the items have
        several components).
        """

        def of(group: Group) -> dict[str, Any]:
            estimate, ratings = group.estimate, group.ratings
            several = group.scores is not None and len(np.unique(group.scores.component)) > 1
            status = "unconnected" if several and estimate.converged is not False else _status(group)
            n = {"n_items": [len(ratings.items)], "n_raters": [len(ratings.raters)], "n_iter": [estimate.n_iter]}
            likelihood = float("nan") if group.labels is None else group.labels.log_likelihood
            return {
                "method": [self.options.method], **n, "converged": [estimate.converged is not False],
                "log_likelihood": [None if np.isnan(likelihood) else likelihood], "status": [status],
            }  # fmt: skip

        return self._stacked(of)

    def _displays(self) -> Sequence[pl.DataFrame]:
        """The consensus."""
        return [self.consensus()]

    def __str__(self) -> str:
        return str(self.consensus())

    # ---- the columns of a group

    def _items(self, group: Group) -> dict[str, Any]:
        ratings = group.ratings
        n = ratings.m.astype(np.int64)
        if group.scores is not None:
            scores = group.scores
            return {
                "item_id": ratings.items,
                "value": scores.value,
                "se": scores.se,
                "n_ratings": n,
                "component": scores.component,
                "status": _status(group),
            }
        labels = _labels(group)
        posterior = labels.posterior
        best = posterior.argmax(axis=1)
        logs = np.log2(np.where(posterior > 0, posterior, 1.0))
        return {
            "item_id": ratings.items,
            "label": ratings.categories[best],
            "probability": posterior[np.arange(len(best)), best],
            "entropy": -np.einsum("uc,uc->u", posterior, logs) + 0.0,
            "n_ratings": n,
            **({} if labels.difficulty is None else {"difficulty": labels.difficulty}),
            "status": _status(group),
        }

    def _raters(self, group: Group) -> dict[str, Any]:
        from ireval_frames.stats.proportions.intervals import wilson

        answers = group.answers
        n = answers.n_of_rater
        raters = {"rater_id": group.ratings.raters, "n_ratings": n.astype(int)}
        status = {"status": _status(group)}
        if group.scores is not None:
            return raters | {"bias": group.scores.bias, "se": group.scores.bias_se} | status
        labels = _labels(group)
        right = answers.right(labels.posterior).sum(axis=1)
        low, high = wilson(right, n, self.options.confidence)
        return raters | {"skill": labels.skill, "agreement": right / n, "ci_low": low, "ci_high": high} | status

    def _stacked(self, columns: Callable[[Group], dict[str, Any]]) -> pl.DataFrame:
        """The columns of all groups, beneath each other."""
        parts = []
        for group in self._groups:
            part = pl.DataFrame(columns(group)).with_columns(pl.selectors.float().fill_nan(None))
            key = pl.DataFrame({k: pl.Series([v]) for k, v in zip(self.by, group.ratings.key, strict=True)})
            parts.append(key.join(part, how="cross") if self.by else part)
        return pl.concat(parts, how="vertical_relaxed") if parts else pl.DataFrame()


def _status(group: Group) -> str:
    """How the fit of a group ended."""
    converged = group.estimate.converged
    return "ok" if converged is None else "converged" if converged else "not_converged"


def _labels(group: Group) -> Consensus:
    if group.labels is None:
        raise NotDefined("Scores have no probabilities of labels.", 'Write aggregate("majority").')
    return group.labels


def _group(options: AggregationOptions, of: Coded, *, scores: bool) -> Group:
    """The estimate of one group of ratings."""
    gold = None if options.gold is None else known(options.gold, of)
    sizes = (len(of.items), max(1, len(of.raters)), len(of.categories))
    answers = Answers(of.item, of.rater if len(of.raters) else of.item * 0, of.category, *sizes, gold)
    if scores:
        rating = of.scale[of.category]
        means = MEANS[options.method](of.item, of.rater, rating, len(of.items), len(of.raters), **options.options)
        return Group(of, answers, means)
    arguments = dict(options.options)
    if options.method == "weighted":
        arguments = {"weight": _weights(arguments["weights"], of.raters)}
    return Group(of, answers, MODELS[options.method](answers, **arguments))


def _weights(weights: Any, raters: pl.Series) -> Array:
    """The weight of each rater.

    Raises:
        InvalidParameter: a rater has none, or one below 0.
    """
    if isinstance(weights, pl.DataFrame):
        weights = dict(weights.select(weights.columns[:2]).iter_rows())
    if not isinstance(weights, Mapping):
        raise InvalidParameter(
            f"weights is of type {type(weights).__name__}.", "Pass a mapping, or a frame of raters and weights."
        )
    values = [weights.get(r) for r in raters]
    for rater, weight in zip(raters, values, strict=True):
        if not isinstance(weight, int | float) or not 0 <= weight < float("inf"):
            raise InvalidParameter(
                f"The weight of the rater {rater!r} is {weight!r}; every rater needs one, a number of at least 0.",
                "Name it in weights=.",
            )
    return np.array(values, dtype=float)
