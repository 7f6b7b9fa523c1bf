"""Comparisons over stored values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter, MismatchedTables, UnknownName, listed
from ireval_frames.store import frames
from ireval_frames.store.folder.files import Listing

if TYPE_CHECKING:
    from ireval_frames.comparison.comparison import Comparison


def compare_stored(
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
    from ireval_frames.comparison.comparison import Comparison
    from ireval_frames.comparison.values.pooled import notes_on_pooled

    baseline, run = runs
    summaries = frames.last(listing, collection, measures, [*runs]).collect()
    by_collection = summaries.group_by("collection", maintain_order=True)
    shared = [c for (c,), part in by_collection if part["run_id"].n_unique() > 1]
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
        _check_conditions(listing, summaries.filter(pl.col("collection") == shared[0])["evaluation_id"].unique())
    rows = frames.values(listing, measures, [*runs], shared[0], counts=False).collect()
    ids = summaries["evaluation_id"].unique().to_list()
    evaluations = listing.rows("evaluations").filter(pl.col("evaluation_id").is_in(ids))
    (unit,) = evaluations.select("unit_columns").collect()["unit_columns"].unique()[:1]
    of_measures = listing.rows("measures").filter(pl.col("evaluation_id").is_in(ids), pl.col("measure").is_in(measures))
    known = of_measures.select("measure", "aggregation", "higher_is_better").unique().collect()
    lower_is_better = known.filter(pl.col("higher_is_better").not_())["measure"].unique()
    pooled = known.filter(aggregation="pooled")["measure"].unique().to_list()
    by = ["groups"] if (rows["groups"] != "{}").any() else []
    columns = json.loads(unit)
    reserved = ("run_id", "groups", "measure", "value")
    name = columns[0] if len(columns) == 1 and columns[0] not in reserved else "unit_id"
    values = rows.select("run_id", *by, pl.col("unit_id").alias(name), "measure", "value")
    compared = compare(values, baseline=baseline, unit=name, by=by, lower_is_better=sorted(lower_is_better), **options)
    notes = (*notes_on_pooled([m for m in measures if m in pooled], name),)
    return Comparison(replace(compared.values, pooled=notes), compared.options)


def _check_conditions(listing: Listing, evaluations: pl.Series) -> None:
    """Refuse evaluations with different judgments or conventions.

    Raises:
        MismatchedTables: they differ.
    """
    ids = evaluations.to_list()
    if len(ids) < 2:
        return
    policies = listing.rows("evaluations").filter(pl.col("evaluation_id").is_in(ids)).collect()["policy"].unique()
    if len(policies) > 1:
        raise MismatchedTables(
            "The runs were evaluated under different conventions: " + " and ".join(policies.sort()) + ".",
            Hint("Evaluate both in the same way, or compare them anyway: ", Argument("strict", value=False)),
        )
    judgments = frames.judgment_inputs(listing).filter(pl.col("evaluation_id").is_in(ids))
    for (name, _), part in judgments.collect().group_by("name", "digest_kind", maintain_order=True):
        if part["digest"].n_unique() > 1:
            tables = [f"{row['n_rows']} rows, digest {row['digest'][:12]}" for row in part.unique("digest").to_dicts()]
            raise MismatchedTables(
                f"The runs were evaluated with different {name}: " + " and ".join(sorted(tables)) + ".",
                Hint("Evaluate both in the same way, or compare them anyway: ", Argument("strict", value=False)),
            )
