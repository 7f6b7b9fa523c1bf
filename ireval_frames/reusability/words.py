"""Pool bias in words."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import polars as pl

from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.escaping import plain
from ireval_frames.reusability.contributions import Contributions
from ireval_frames.reusability.orders import goodness

# Orders whose τ is at least this are called equivalent, and below this noticeably different.
EQUIVALENT, DIFFERENT = 0.9, 0.8
SAME, NEARLY, CHANGES, ANOTHER = "same order", "nearly the same order", "order changes", "another order"
ORDERS = {
    SAME: "the order of all runs stays the same",
    NEARLY: "the order of all runs stays nearly the same (τ of 0.9 or more is usually taken as equivalent)",
    CHANGES: "the order of all runs changes (τ below 0.9 is usually not taken as equivalent)",
    ANOTHER: "the order of all runs is another (τ below 0.8 is usually taken as a noticeable difference)",
}

# Of runs in the order of what they lose: the first, if it loses a place.
DROPPED = pl.when(pl.col("drop").first() > 0).then(pl.col("run_id").first())


def summary(
    table: pl.DataFrame, groups: pl.DataFrame, contributions: Contributions, lower: Collection[str]
) -> pl.DataFrame:
    """The table of `PoolBias.summary`."""
    relevant = contributions.documents.filter(pl.col("relevance") >= contributions.rel)
    n_unique = relevant["only_group"].count()
    loss = goodness(lower, "change")
    by_loss = table.sort("measure", loss, "run_id", nulls_last=True, maintain_order=True)
    of_runs = by_loss.group_by("measure", maintain_order=True).agg(
        n_runs=pl.len().cast(pl.Int64),
        n_groups=pl.col("group").n_unique().cast(pl.Int64),
        mean_change=in_order(pl.col("change").mean()),
        mean_percent=in_order(pl.col("percent").mean()),
        largest_change=pl.col("change").first(),
        changed_run=pl.col("run_id").first(),
    )  # fmt: skip
    # Without a group no two runs may differ: there is no order, and no τ.
    of_tau = groups.sort("measure", "tau", "group", nulls_last=False).group_by("measure", maintain_order=True).agg(
        tau=pl.col("tau").first(), tau_group=pl.when(pl.col("tau").is_not_null().any()).then("group").first()
    )  # fmt: skip
    by_drop = table.sort("drop", "run_id", descending=[True, False], nulls_last=True)
    of_drop = by_drop.group_by("measure", maintain_order=True).agg(
        largest_drop=pl.col("drop").first(), dropped_run=DROPPED
    )
    tau = pl.col("tau")
    word = (
        pl.when(tau >= 1.0 - 1e-12).then(pl.lit(SAME))
        .when(tau >= EQUIVALENT).then(pl.lit(NEARLY))
        .when(tau >= DIFFERENT).then(pl.lit(CHANGES))
        .when(tau.is_not_null()).then(pl.lit(ANOTHER))
    )  # fmt: skip
    out = table.select("measure").unique(maintain_order=True)
    for part in (of_runs, of_tau, of_drop):
        out = out.join(part, on="measure", how="left", maintain_order="left")
    return out.with_columns(
        n_relevant=pl.lit(relevant.height, pl.Int64),
        n_unique_relevant=pl.lit(n_unique, pl.Int64),
        share=pl.lit(n_unique / relevant.height if relevant.height else None, pl.Float64),
        reusability=word,
    )


def sentences(summary: pl.DataFrame, contributions: Contributions, *, named: bool) -> list[str]:
    """What the tables say.

    Args:
        summary: the table of `summary`.
        contributions: of the runs.
        named: whether runs have groups; else each is one.
    """
    row = summary.row(0, named=True)
    who = "group" if named else "run"
    runs = f"{row['n_runs']} runs of {row['n_groups']} groups" if named else f"{row['n_runs']} runs"
    share = "" if row["share"] is None else f" ({100 * row['share']:.1f} %)"
    alone = f"{row['n_unique_relevant']} of {row['n_relevant']} relevant documents{share}"
    lines = [f"{runs}.  One {who} alone contributed {alone}.", _depth(contributions)]
    outside = contributions.documents.filter((pl.col("n_runs") == 0) & (pl.col("relevance") >= 0)).height
    if outside:
        lines.append(f"None of these runs contributed {outside} of the judged documents; these always stay judged.")
    emptied = contributions.emptied()
    if n := emptied["n_queries_emptied"].sum():
        lines.append(
            f"{n} time{'s' * (n != 1)} a query has no relevant document without a {who}; it then counts as the policy "
            f"no_relevant={contributions.lists.policy.no_relevant} says."
        )
    return lines + [_of_measure(m, who) for m in summary.iter_rows(named=True)]


def _depth(contributions: Contributions) -> str:
    """How deep contributions are looked for."""
    if contributions.depth is not None:
        return f"Contributions are documents down to rank {contributions.depth}."
    text = "Contributions are documents at any rank, as no depth of the pool is named"
    judged_to = min(contributions.judged_to()["judged_to"].to_list(), default=0)
    if judged_to < 2:
        return f"{text}."
    return f"{text}; half of the lists of each run are judged down to rank {judged_to}, so it may be {judged_to}."


def _of_measure(row: dict[str, Any], who: str) -> str:
    """What the row of a measure says."""
    if row["mean_change"] is None:
        return f"{row['measure']}: no run has a value without what its {who} alone contributed."
    percent = "" if row["mean_percent"] is None else f" ({row['mean_percent']:+.1f} %)"
    text = f"{row['measure']}: without what its {who} alone contributed, a run's value changes by "
    text += f"{row['mean_change']:+.4f}{percent} on average"
    if row["largest_change"]:
        text += f" and by {row['largest_change']:+.4f} in the worst case ({plain(row['changed_run'])})"
    if row["tau"] is not None:
        of = "" if row["reusability"] == SAME else f"without {plain(row['tau_group'])} τ is {row['tau']:.3f} and "
        text += f"; {of}{ORDERS[row['reusability']]}"
    elif row["tau_group"] is not None:
        text += f"; without {plain(row['tau_group'])} no two runs differ, so there is no order to compare"
    drop = row["largest_drop"]
    text += (
        f".  It loses up to {drop} place{'s' * (drop != 1)} ({plain(row['dropped_run'])})."
        if row["dropped_run"] is not None
        else ".  It loses no place."
    )
    return text
