"""What tables about recommended items must not hold, and what is said of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from ireval_frames import expr
from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.row_checks import Check
from ireval_frames.errors import (
    Argument,
    Hint,
    InvalidValue,
    IrevalWarning,
    NothingInCommon,
    SampleWarning,
    listed,
    warn,
)
from ireval_frames.expr import col, lit
from ireval_frames.recommendations.inputs import RecommendationInputs
from ireval_frames.recommendations.tables import RecommendationTables

# Lists look sampled if all of the relevant items are in them, and they are this much shorter than
# the catalogue.
LOOKED_AT, FEWEST, SHORT = 200, 20, 5


def row_checks(tables: RecommendationTables) -> Iterator[Check]:
    """Items of lists are in the catalogue, if that was passed."""
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


def check_overlap(tables: RecommendationTables) -> None:
    """Refuse lists that share no user with the relevant items, or no item with train.

    Raises:
        NothingInCommon: they share none, and the policy does not allow that.
    """
    base, engine = tables.base, tables.plan.engine
    # Statements that run later have no rows yet.
    if tables.policy.overlap == "allow" or engine.enforces(()):
        return
    for table, ours, key, word in (
        ("relevant", "user_id", "item_id", "user"),
        ("train", "item_id", "doc_id", "item"),
    ):
        other = getattr(base, table)
        if other is None:
            continue
        mine, theirs = (base.distinct(frame.select(key)) for frame in (base.recs, other))
        both = engine.join(mine, theirs, (key,), "inner")
        some, others, common = (engine.collect(frame.head(1)) for frame in (mine, theirs, both))
        if some.height and others.height and not common.height:
            raise NothingInCommon(
                f"The lists have no {word} in common with the {table} table: column "
                f"{base.columns['recs'][ours]!r} has {some[key][0]!r}, "
                f"and {base.columns[table][ours]!r} has {others[key][0]!r}.",
                Hint("Write ids alike; or evaluate all the same: ", Argument("policy", "overlap=allow"), "."),
            )


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
        "on their number.  Pass a catalogue, which has the items that can be recommended.",
        IrevalWarning,
    )


def warn_of_sampled_candidates(tables: RecommendationTables, accuracy: Sequence[str]) -> None:
    """Warn where lists look like relevant items among sampled ones: short, and with all relevant items in them."""
    base, engine = tables.base, tables.plan.engine
    # Statements that run later have no rows yet; and without a catalogue nothing is known to be missing.
    if not accuracy or not base.listed or base.relevant is None or engine.enforces(()):
        return
    pairs = base.relevant.filter(col("relevance") > 0.0).select("item_id", "doc_id").head(LOOKED_AT)
    pairs = engine.join(pairs, base.recs.with_columns(listed=lit(1.0)), ("item_id", "doc_id"), "left")
    counts = engine.numbers(pairs.select(n=expr.len(), listed=col("listed").count()))
    if counts["n"] < FEWEST or counts["listed"] < counts["n"]:
        return
    n_items = engine.collect(base.catalogue.select(n=expr.len())).item()
    lengths = engine.group(base.recs.count_by(*tables.keys), [], [Aggregate("mean", "mean", col("n"))])
    mean = engine.numbers(lengths)["mean"]
    if mean * SHORT < n_items:
        warn(
            f"Every relevant item is in its user's list, though lists have {mean:,.0f} of {n_items:,} items on the "
            f"average: they look like relevant items among sampled ones. {listed(accuracy)} of such lists are not "
            "those of lists of all items; ir.recommendations.sampled_candidates estimates these.",
            SampleWarning,
        )


def warn_of_groups(tables: RecommendationTables) -> None:
    """Warn where lists are grouped by a column that other tables of users have, too, as windows of time are."""
    base = tables.base
    if "users" in base.frames:
        return
    for column in base.by_names.values():
        others = [name for name in ("train", "relevant", "baseline") if name in base.frames]
        if also := [name for name in others if column in base.frames[name].columns]:
            warn(
                f"by= groups the lists by {column!r}, and {listed(also)} {'has' if len(also) == 1 else 'have'} such "
                "a column, which is not read: the rows of a user count in all groups.  Where these differ, as windows "
                "of time do, evaluate the rows of each group by themselves.",
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
