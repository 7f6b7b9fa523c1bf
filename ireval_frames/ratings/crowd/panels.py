"""Judges alone and as panels, beside people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined
from ireval_frames.ratings.crowd.gold import gold_of

if TYPE_CHECKING:
    from ireval_frames.ratings.crowd.subject import Crowd

PANELS = ("majority", "wawa", "dawid-skene")


def panels(
    ratings: Crowd,
    judges: Sequence[Any],
    gold: Any,
    methods: Sequence[str],
    weights: Mapping[Any, float] | None,
    measures: str,
    confidence: float,
    scale: Mapping[str, Any],
) -> pl.DataFrame:
    """The agreement of each judge and each panel with people (`Ratings.panels`).

    Raises:
        InvalidParameter: judges are no list, or groups are asked for.
        NotDefined: there are no people and no gold.
    """
    if isinstance(judges, str) or not judges:
        raise InvalidParameter(
            f"judges is {judges!r}; it holds the ids of raters.", Hint("Write ", Argument("judges", ["gpt", "llama"]))
        )
    if ratings.by:
        raise InvalidParameter("Panels are of all ratings.", Hint("Leave out ", Argument("by", None)))
    ids = ratings.raters()["rater_id"].to_list()
    named = {str(j) for j in judges}
    people = [r for r in ids if str(r) not in named]
    if gold is None and not people:
        raise NotDefined("All raters are judges, and there is no gold.", Hint("Pass ", Argument("gold", "gold.csv")))
    panel = ratings.without(people)
    alone = {str(j): ratings.without([r for r in ids if str(r) != str(j)]) for j in judges}
    votes = {name: one.aggregate("majority").consensus() for name, one in alone.items()}
    for method in [*methods, *(["weighted"] if weights is not None and "weighted" not in methods else [])]:
        options: dict[str, Any] = {"weights": weights} if method == "weighted" else {}
        votes[method] = panel.aggregate(method, **options).consensus()
    first = next(iter(votes.values()))
    truth = (
        ratings.without(list(judges)).aggregate("majority").consensus().select(item="item_id", label="label")
        if gold is None
        else gold_of(gold, first["item_id"], "item_id")
    )
    # The constructor of `Ratings`, which this module cannot import.
    subject: Any = type(ratings)
    parts: list[pl.DataFrame] = []
    for name, labels in votes.items():
        own = labels.select(item="item_id", label=pl.col("label").cast(truth.schema["label"]), rater_id=pl.lit(name))
        of_people = truth.join(own, on="item", how="semi").with_columns(rater_id=pl.lit("people"))
        both = pl.concat([own.join(truth, on="item", how="semi"), of_people], how="diagonal")
        evaluation = subject(both, item="item", rating="label", **scale).evaluate(measures)
        table = evaluation.intervals(confidence=confidence)
        parts.append(table.select(pl.lit(name).alias("panel"), *table.columns))
    return pl.concat(parts, how="vertical_relaxed")
