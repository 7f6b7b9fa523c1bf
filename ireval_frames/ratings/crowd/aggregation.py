"""What raters say together: a label or a number for each item, and what that tells of the raters."""

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


@dataclass(frozen=True, eq=False)
class Group:
    """A group's ratings with what a model makes of them."""

    of: Coded
    answers: Answers
    labels: Consensus | None = None
    scores: Scores | None = None


@dataclass(eq=False, repr=False)
class Aggregation(Displayed):
    """The labels or scores that ratings make together (`Ratings.aggregate`); it prints as its consensus.

    Attributes:
        how: the method and its options.
        keys: the user's names of the columns of groups.
        groups: the groups, each with what came of it.
    """

    how: AggregationOptions
    keys: Sequence[str]
    groups: list[Group] = field(default_factory=list)

    @classmethod
    def made(
        cls,
        how: AggregationOptions,
        rows: pl.DataFrame,
        aliases: Sequence[str],
        keys: Sequence[str],
        scale: Any,
        *,
        numeric: bool,
        item: str = "item_id",
    ) -> Aggregation:
        """Every group of rows aggregated.

        Args:
            how: the method.
            rows: a row per rating.
            aliases: the columns of groups.
            keys: what the user calls them.
            scale: the categories, where they were said.
            numeric: whether ratings are numbers.
            item: what the user calls the column of items.

        Raises:
            NotDefined: scores are asked of text.
            NothingInCommon: no item is known that is rated.
        """
        of_scores = how.method in SCORES
        if of_scores and not numeric:
            raise NotDefined(f"{how.method} is of numbers; the ratings are text.", 'Write aggregate("majority").')
        if how.gold is not None:
            how = replace(how, gold=gold_of(how.gold, rows["item_id"], item))
        out = cls(how, keys)
        for of in coded(rows, aliases, scale=scale, numbers=of_scores):
            if len(of.item):
                out.groups.append(_group(how, of, scores=of_scores))
        early = [g for g in out.groups if _status(g) == "not_converged"]
        # With a tolerance of 0 a number of steps is what was asked for.
        if early and how.options.get("tol") != 0:
            steps = max((g.labels or g.scores).n_iter for g in early)  # type: ignore[union-attr]  # it has one
            where = f" in {len(early)} of {len(out.groups)} groups" if aliases else ""
            warn(
                f"{how.method} did not converge in {steps} steps (max_iter){where}: more of them may give others.",
                ConvergenceWarning,
            )
        return out

    # ---- results

    def consensus(self) -> pl.DataFrame:
        """A row per item.

        Returns:
            [by …] item_id label probability entropy n_ratings status: the likeliest label (of equal ones the first of
            the scale), its probability, and the entropy of all labels in bits; of GLAD also the difficulty.  Of scores:
            [by …] item_id value se n_ratings component status; items of different components are linked by no rater.
            `status` is "converged" or "not_converged", or "ok" where the method has nothing to iterate.
        """
        return self._stacked(self._items)

    def probabilities(self) -> pl.DataFrame:
        """A row per item and label: [by …] item_id label probability.

        Raises:
            NotDefined: scores have none.
        """

        def of(group: Group) -> dict[str, Any]:
            found = _labels(group)
            k = found.posterior.shape[1]
            labels = group.of.categories[np.tile(np.arange(k), len(group.of.items))]
            items = group.of.items[np.repeat(np.arange(len(group.of.items)), k)]
            return {"item_id": items, "label": labels, "probability": found.posterior.ravel()}

        return self._stacked(of)

    def raters(self) -> pl.DataFrame:
        """A row per rater.

        Returns:
            [by …] rater_id n_ratings skill agreement ci_low ci_high status: the skill in the model's own terms (the
            probability of a right answer; of wawa and zero-based the agreement; of GLAD α; of MACE that of not
            guessing; of KOS in shares of the best), and the expected share of answers that are the consensus, with
            Wilson's interval.  Of scores: [by …] rater_id n_ratings bias se status.  `status` as of `consensus`.
        """
        return self._stacked(self._of_raters)

    def confusion(self) -> pl.DataFrame:
        """A row per rater, label that there is and label that is given: [by …] rater_id label rating probability.

        Raises:
            NotDefined: the model has no confusions.
        """

        def of(group: Group) -> dict[str, Any]:
            found = group.labels
            if found is None or found.confusion is None:
                raise NotDefined(
                    f"{self.how.method} has no confusions of each rater.", 'Write aggregate("dawid-skene").'
                )
            r, k, _ = found.confusion.shape
            rater, label, given = (x.ravel() for x in np.indices((r, k, k)))
            return {
                "rater_id": group.of.raters[rater],
                "label": group.of.categories[label],
                "rating": group.of.categories[given],
                "probability": np.swapaxes(found.confusion, 1, 2).ravel(),
            }

        return self._stacked(of)

    def summary(self) -> pl.DataFrame:
        """A row per group: [by …] method n_items n_raters n_iter converged log_likelihood status.

        `status`: converged; not_converged; ok (nothing was iterated); unconnected (raters link no item of one part with
        those of another).
        """

        def of(group: Group) -> dict[str, Any]:
            found: Any = group.labels or group.scores
            apart = group.scores is not None and len(np.unique(group.scores.component)) > 1
            status = "unconnected" if apart and found.converged is not False else _status(group)
            n = {"n_items": [len(group.of.items)], "n_raters": [len(group.of.raters)], "n_iter": [found.n_iter]}
            likelihood = getattr(found, "log_likelihood", float("nan"))
            return {
                "method": [self.how.method], **n, "converged": [found.converged is not False],
                "log_likelihood": [None if np.isnan(likelihood) else likelihood], "status": [status],
            }  # fmt: skip

        return self._stacked(of)

    def _displays(self) -> Sequence[pl.DataFrame]:
        """The consensus."""
        return [self.consensus()]

    def __str__(self) -> str:
        return str(self.consensus())

    # ---- within

    def _items(self, group: Group) -> dict[str, Any]:
        n = group.of.m.astype(np.int64)
        if group.scores is not None:
            of = group.scores
            return {
                "item_id": group.of.items,
                "value": of.value,
                "se": of.se,
                "n_ratings": n,
                "component": of.component,
                "status": _status(group),
            }
        found = _labels(group)
        posterior = found.posterior
        best = posterior.argmax(axis=1)
        logs = np.log2(np.where(posterior > 0, posterior, 1.0))
        return {
            "item_id": group.of.items,
            "label": group.of.categories[best],
            "probability": posterior[np.arange(len(best)), best],
            "entropy": -np.einsum("uc,uc->u", posterior, logs) + 0.0,
            "n_ratings": n,
            **({} if found.difficulty is None else {"difficulty": found.difficulty}),
            "status": _status(group),
        }

    def _of_raters(self, group: Group) -> dict[str, Any]:
        from ireval_frames.stats.proportions.intervals import wilson

        answers = group.answers
        n, status = answers.n_of_rater, {"status": _status(group)}
        if group.scores is not None:
            of = group.scores
            return {"rater_id": group.of.raters, "n_ratings": n.astype(int), "bias": of.bias, "se": of.bias_se} | status
        found = _labels(group)
        right = answers.right(found.posterior).sum(axis=1)
        low, high = wilson(right, n, self.how.confidence)
        made = {"skill": found.skill, "agreement": right / n, "ci_low": low, "ci_high": high}
        return {"rater_id": group.of.raters, "n_ratings": n.astype(int), **made} | status

    def _stacked(self, of: Callable[[Group], dict[str, Any]]) -> pl.DataFrame:
        parts = []
        for group in self.groups:
            made = pl.DataFrame(of(group)).with_columns(pl.selectors.float().fill_nan(None))
            named = dict(zip(self.keys, group.of.key, strict=True))
            key = pl.DataFrame({k: pl.Series([v]) for k, v in named.items()})
            parts.append(key.join(made, how="cross") if self.keys else made)
        return pl.concat(parts, how="vertical_relaxed") if parts else pl.DataFrame()


def _status(group: Group) -> str:
    """How the fit of a group ended."""
    found: Any = group.labels or group.scores
    return "ok" if found.converged is None else "converged" if found.converged else "not_converged"


def _labels(group: Group) -> Consensus:
    if group.labels is None:
        raise NotDefined("Scores have no probabilities of labels.", 'Write aggregate("majority").')
    return group.labels


def _group(how: AggregationOptions, of: Coded, *, scores: bool) -> Group:
    gold = None if how.gold is None else known(how.gold, of)
    sizes = (len(of.items), max(1, len(of.raters)), len(of.categories))
    answers = Answers(of.item, of.rater if len(of.raters) else of.item * 0, of.category, *sizes, gold)
    if scores:
        found = MEANS[how.method](
            of.item, of.rater, of.scale[of.category], len(of.items), len(of.raters), **how.options
        )
        return Group(of, answers, scores=found)
    options = dict(how.options)
    if how.method == "weighted":
        options = {"weight": _weights(options["weights"], of.raters)}
    return Group(of, answers, labels=MODELS[how.method](answers, **options))


def _weights(given: Any, raters: pl.Series) -> Array:
    """The weight of each rater.

    Raises:
        InvalidParameter: a rater has none, or one below 0.
    """
    if isinstance(given, pl.DataFrame):
        given = dict(given.select(given.columns[:2]).iter_rows())
    if not isinstance(given, Mapping):
        raise InvalidParameter(
            f"weights is of type {type(given).__name__}.", "Hand in a mapping, or a frame of raters and weights."
        )
    found = [given.get(r) for r in raters]
    for rater, weight in zip(raters, found, strict=True):
        if not isinstance(weight, int | float) or not 0 <= weight < float("inf"):
            raise InvalidParameter(
                f"The weight of the rater {rater!r} is {weight!r}; every rater has one, a number not below 0.",
                "Name it in weights=.",
            )
    return np.array(found, dtype=float)
