"""The conventions of recommended items, each choice with what it means and who does it so."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.conventions.base import OURS, Choice, one_of
from ireval_frames.conventions.documents import DocumentPolicy


@dataclass(frozen=True)
class RecommendationPolicy(DocumentPolicy):
    """The conventions in force for one evaluation of recommended items.

    Fields:
        overlap: lists that have no user in common with the relevant items, or no item with train, are an `error`, or
            are evaluated all the same (`allow`).
        ties: items of equal score are ranked by descending ids as in the family of rankings (`trec_eval`), or by
            ascending ids (`item_id`).
        missing: users with relevant items and without a list have the accuracy 0 (`zero`), or are left out (`skip`).
        no_relevant: users with a list and without relevant items have no accuracy, so they are left out of its mean
            (`null`), or 0 (`zero`).
        repeats: a user and an item that are in several rows of train count once (`once`), or in each row (`rows`).
    """

    overlap: str = one_of(
        Choice("error", "Lists that share no user with relevant items, or no item with train, are an error.", OURS),
        Choice(
            "allow", "Lists that share no user with relevant items, or no item with train, are evaluated.", "RecTools"
        ),
    )
    ties: str = one_of(
        Choice("trec_eval", "Items of equal score are ranked by descending ids.", "trec_eval"),
        Choice("item_id", "Items of equal score are ranked by ascending ids.", OURS),
    )
    missing: str = one_of(
        Choice("zero", "A user with relevant items and without a list has the accuracy 0.", "RecTools, lenskit"),
        Choice("skip", "A user without a list is left out.", "recommenders"),
    )
    no_relevant: str = one_of(
        Choice("null", "A user without relevant items has no accuracy, and is left out.", "RecTools, recommenders"),
        Choice("zero", "A user with a list and without relevant items has the accuracy 0.", OURS),
    )
    repeats: str = one_of(
        Choice("once", "A user and an item count once, however many rows of train have both.", "lenskit"),
        Choice("rows", "Each row of train counts, also where a user and an item are in several.", "RecTools"),
    )


RecommendationPolicy.presets = {
    "rectools": RecommendationPolicy(repeats="rows"),
    "recommenders": RecommendationPolicy(missing="skip"),
}
