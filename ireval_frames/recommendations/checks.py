"""What tables about recommended items must not hold, and what is said of them."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from ireval_frames import expr
from ireval_frames.engines.row_checks import Check
from ireval_frames.errors import InvalidValue, IrevalWarning, listed, warn
from ireval_frames.expr import col, lit
from ireval_frames.recommendations.inputs import RecommendationInputs
from ireval_frames.recommendations.tables import RecommendationTables


def row_checks(tables: RecommendationTables) -> Iterator[Check]:
    """Items of lists are in the catalogue, if that was handed in."""
    base = tables.base
    if not base.listed:
        return
    known = base.catalogue.with_columns(known=lit(1.0))
    recommended = base.engine.join(base.distinct(base.recs.select("doc_id")), known, ("doc_id",), "left")
    column, there = base.user_columns["item_id"], base.columns["catalogue"]["item_id"]

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        items = f"item{'s' * (count > 1)} of the lists {'are' if count > 1 else 'is'}"
        return InvalidValue(
            f"{count:,} {items} not in the catalogue: {listed(map(repr, rows['doc_id']), 3)}.",
            f'Add them to it, or leave them out: recs.filter(pl.col("{column}").is_in(catalogue["{there}"]))',
        )

    yield Check(recommended, col("known").is_null(), error, ("doc_id",))


def warn_of_catalogue(tables: RecommendationTables) -> None:
    """Warn where measures read the number of items and the catalogue is assumed."""
    base, engine = tables.base, tables.plan.engine
    measures = list(dict.fromkeys(tables.reads_catalogue))
    # Statements that run later have no rows yet.
    if base.listed or not measures or engine.enforces(()):
        return
    n = engine.collect(base.catalogue.select(n=expr.len())).item()
    of = "train and of all lists" if base.train is not None else "all lists"
    warn(
        f"The catalogue is taken to be the {n:,} items of {of}; {listed(measures)} depend{'s' * (len(measures) == 1)} "
        "on their number.  catalogue= names the items that can be recommended.",
        IrevalWarning,
    )


def notes(inputs: RecommendationInputs) -> tuple[str, ...]:
    """What the reader should know."""
    out = list(inputs.notes)
    if "users" not in inputs.frames:
        with_relevant = inputs.relevant is not None and not inputs.by and inputs.policy.missing == "zero"
        out.append(f"The users are those with a list{' or relevant items' * with_relevant}; users= names others.")
    if not inputs.listed:
        out.append("The catalogue is the items of train and of all lists; catalogue= names the items there are.")
    return tuple(out)
