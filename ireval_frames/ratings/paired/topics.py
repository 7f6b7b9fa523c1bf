"""Whether items are stronger in one topic than in the others."""

from __future__ import annotations

import numpy as np
import polars as pl

from ireval_frames.ratings.paired.options import StrengthOptions
from ireval_frames.ratings.paired.strengths import strengths
from ireval_frames.stats.corrections import corrected

COLUMNS = ("topic", "item_id", "value", "se", "ci_low", "ci_high", "others", "difference", "difference_se")


def topics(rows: pl.DataFrame, options: StrengthOptions, correction: str) -> pl.DataFrame:
    """A row per topic and item (`PairedComparisons.topics`).

    Args:
        rows: with a column `topic`.
        options: of strengths.
        correction: of p-values.
    """
    from scipy.special import ndtr

    parts = []
    for (topic,), part in rows.partition_by("topic", as_dict=True, maintain_order=False).items():
        items = pl.concat([part["item_a"], part["item_b"].alias("item_a")]).unique()
        here = items.implode()
        rest = rows.filter(pl.col("topic") != topic, pl.col("item_a").is_in(here), pl.col("item_b").is_in(here))
        own = strengths(part, options)
        others = strengths(rest, options).select(
            "item_id", others="value", se_others="se", component_others="component"
        )
        both = own.join(others, on="item_id", how="left")
        # Strengths are about the mean of linked items, which must be the same ones on both sides.
        sizes = [
            pl.len().over(c) for c in ("component", "component_others", pl.struct("component", "component_others"))
        ]
        same = (sizes[0] == sizes[2]) & (sizes[1] == sizes[2])
        both = both.with_columns(
            topic=pl.lit(topic, dtype=rows.schema["topic"]),
            difference=pl.when(same).then(pl.col("value") - pl.col("others")),
            difference_se=pl.when(same).then((pl.col("se") ** 2 + pl.col("se_others") ** 2).sqrt()),
        )
        parts.append(both.select(*COLUMNS, "n", "status"))
    if not parts:
        columns = ("others", "difference", "difference_se", "p_value", "p_corrected")
        empty = strengths(rows, options).with_columns(topic=rows["topic"], **{c: pl.lit(0.0) for c in columns})
        return empty.select(*COLUMNS, "p_value", "p_corrected", "n", "status")
    table = pl.concat(parts).sort("topic", "value", "item_id", descending=[False, True, False], nulls_last=True)
    d, se = (table[c].fill_null(np.nan).to_numpy() for c in ("difference", "difference_se"))
    with np.errstate(invalid="ignore", divide="ignore"):
        p = 2 * ndtr(-np.abs(d / se))
    table = table.with_columns(p_value=pl.Series(p), p_corrected=pl.Series(corrected(p, correction)))
    return table.select(*COLUMNS, "p_value", "p_corrected", "n", "status").with_columns(
        pl.selectors.float().fill_nan(None)
    )
