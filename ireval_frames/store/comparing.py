"""Comparisons over stored values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter, MismatchedTables, UnknownName, listed
from ireval_frames.store import asking
from ireval_frames.store.folder.files import Listing

if TYPE_CHECKING:
    from ireval_frames.comparison.comparison import Comparison


def compared(
    listing: Listing,
    runs: tuple[str, str],
    measures: list[str],
    collection: str | None,
    options: Mapping[str, Any],
    *,
    strict: bool,
) -> Comparison:
    """`ir.compare` of the last evaluations of a baseline and a run."""
    from ireval_frames.comparison.comparing import compare

    baseline, run = runs
    found = asking.last(listing, collection, measures, [*runs]).collect()
    shared = [c for (c,), part in found.group_by("collection", maintain_order=True) if part["run_id"].n_unique() > 1]
    if baseline == run:
        raise InvalidParameter(f"Both runs are {run!r}.", "Name two runs.")
    if not shared:
        raise UnknownName(
            f"No collection has values of {listed(measures)} for both {baseline!r} and {run!r}.",
            "See: store.runs()",
        )
    if len(shared) > 1:
        raise MismatchedTables(
            f"The runs are in several collections: {listed(sorted(map(repr, shared)))}.",
            Hint("Name one: ", Argument("collection", min(shared))),
        )
    if strict:
        _same_terms(listing, found.filter(pl.col("collection") == shared[0]))
    rows = asking.values(listing, measures, [*runs], shared[0], counts=False).collect()
    units = listing.rows("evaluations").filter(pl.col("evaluation_id").is_in(found["evaluation_id"].unique().to_list()))
    (unit,) = units.select("unit_columns").collect()["unit_columns"].unique()[:1]
    falling = (
        listing.rows("measures")
        .filter(pl.col("higher_is_better").not_() & pl.col("measure").is_in(measures))
        .select(pl.col("measure").unique())
        .collect()["measure"]
    )
    by = ["groups"] if (rows["groups"] != "{}").any() else []
    name = _one(unit) or "unit_id"
    kept = rows.select("run_id", *by, pl.col("unit_id").alias(name), "measure", "value")
    return compare(kept, baseline=baseline, unit=name, by=by, lower_is_better=sorted(falling), **options)


def _one(columns: str) -> str | None:
    import json

    names = json.loads(columns)
    taken = ("run_id", "groups", "measure", "value")
    return names[0] if len(names) == 1 and names[0] not in taken else None


def _same_terms(listing: Listing, found: pl.DataFrame) -> None:
    """Refuse evaluations with other judgments or conventions.

    Raises:
        MismatchedTables: they differ.
    """
    ids = found["evaluation_id"].unique().to_list()
    if len(ids) < 2:
        return
    policies = listing.rows("evaluations").filter(pl.col("evaluation_id").is_in(ids)).collect()["policy"].unique()
    if len(policies) > 1:
        raise MismatchedTables(
            "The runs were evaluated under different conventions: " + " and ".join(policies.sort()) + ".",
            Hint("Evaluate them alike, or compare all the same: ", Argument("strict", value=False)),
        )
    judged = asking.judged(listing).filter(pl.col("evaluation_id").is_in(ids))
    for (name, _), part in judged.collect().group_by("name", "digest_kind", maintain_order=True):
        if part["digest"].n_unique() > 1:
            told = [f"{row['n_rows']} rows, digest {row['digest'][:12]}" for row in part.unique("digest").to_dicts()]
            raise MismatchedTables(
                f"The runs were evaluated with different {name}: " + " and ".join(sorted(told)) + ".",
                Hint("Evaluate them alike, or compare all the same: ", Argument("strict", value=False)),
            )
