"""Win rates against one item, as if both answers were of equal length."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from ireval_frames.crowds.answers import Array
from ireval_frames.crowds.controlled import Rows, controlled
from ireval_frames.errors import Argument, Hint, NotDefined, UnknownName, nearest
from ireval_frames.ratings.paired.covariates import numbers_of

NUMBERS = ("win_rate", "controlled", "se", "ci_low", "ci_high", "length_effect", "effect_se", "difficulty_effect")


def length_controlled(
    rows: pl.DataFrame, baseline: Any, difficulty: str | None, prior: float, confidence: float
) -> pl.DataFrame:
    """A row per item but the baseline (`PairedComparisons.length_controlled`).

    Raises:
        UnknownName: there is no such baseline.
        NotDefined: comparisons have no lengths.
    """
    if not {"length_a", "length_b"} <= set(rows.columns):
        raise NotDefined(
            "Comparisons have no lengths of both answers.",
            Hint("Name their columns: ", Argument("columns", {"length_a": "tokens_a", "length_b": "tokens_b"})),
        )
    items = pl.concat([rows["item_a"], rows["item_b"].alias("item_a")]).unique().sort()
    if baseline not in items:
        raise UnknownName(f"There is no item {baseline!r}.", nearest(str(baseline), [str(i) for i in items]))
    out, ids = [], [i for i in items if i != baseline]
    for item in ids:
        own = rows.filter(
            ((pl.col("item_a") == item) & (pl.col("item_b") == baseline))
            | ((pl.col("item_b") == item) & (pl.col("item_a") == baseline))
        )
        out.append(_row(own, item, difficulty, prior, confidence))
    schema: dict[str, Any] = dict.fromkeys(NUMBERS, pl.Float64) | {"n": pl.Int64, "status": pl.String}
    table = pl.DataFrame(out, schema=schema, orient="row").with_columns(pl.selectors.float().fill_nan(None))
    table = table.select(pl.Series("item_id", ids, dtype=items.dtype), pl.all())
    return table.sort("controlled", "item_id", descending=[True, False], nulls_last=True)


def _row(rows: pl.DataFrame, item: Any, difficulty: str | None, prior: float, confidence: float) -> tuple[Any, ...]:
    from scipy.special import expit, ndtri, stdtrit

    nan = float("nan")
    if not rows.height:
        return (*([nan] * len(NUMBERS)), 0, "alone")
    first = rows.select(pl.col("item_a") == item).to_series().to_numpy()
    score = np.where(first, rows["score"].to_numpy(), 1 - rows["score"].to_numpy())
    lengths = [numbers_of(rows, c) for c in ("length_a", "length_b")]
    n, gap = rows["n"].to_numpy(), np.where(first, 1, -1) * (lengths[0] - lengths[1])
    total = n.sum()
    mean = (n * gap).sum() / total
    spread = np.sqrt((n * (gap - mean) ** 2).sum() / (total - 1)) if total > 1 else 0.0
    columns = [np.tanh(gap / spread) if spread > 0 else np.zeros(len(gap))]
    hard = numbers_of(rows, difficulty) if difficulty is not None else None
    if hard is not None:
        columns.append(hard)
    units = "unit_id" in rows.columns
    cluster = rows["unit_id"].rank("dense").cast(pl.Int64).to_numpy() - 1 if units else np.arange(len(n))
    x = np.stack(columns, axis=1)
    if prior:
        score, n, cluster = np.append(score, 0.5), np.append(n, prior), np.append(cluster, -1)
        x = np.concatenate([x, np.zeros((1, x.shape[1]))])
    size = len(n)
    of = Rows(np.zeros(size, np.int64), np.ones(size, np.int64), score, n, x, cluster, 2)
    rate = float((n * score)[: rows.height].sum() / total)
    if spread == 0:
        return (rate, *([nan] * (len(NUMBERS) - 1)), int(total), "one_length")
    fitted = controlled(of, sandwich=True)
    status = fitted.status[0]
    if status != "converged":
        return (rate, *([nan] * (len(NUMBERS) - 1)), int(total), status)
    strength = fitted.value[0] - fitted.value[1]
    effects: Array = fitted.effect
    at: Array = strength + (effects[1] * hard if hard is not None else np.zeros(rows.height))
    weight = n[: rows.height] / total
    p: Array = expit(at)
    controlled_rate = float(weight @ p)
    slope = weight * p * (1 - p)
    gradient = np.zeros(4 if hard is not None else 3)
    gradient[0], gradient[1] = slope.sum(), -slope.sum()
    if hard is not None:
        gradient[3] = slope @ hard
    variance = float(gradient @ fitted.covariance @ gradient)
    se = float(np.sqrt(max(variance, 0.0)))
    df = fitted.n_clusters - 1
    away = float(stdtrit(df, (1 + confidence) / 2) if df > 0 else ndtri((1 + confidence) / 2)) * se
    ends = max(0.0, controlled_rate - away), min(1.0, controlled_rate + away)
    effect_se = float(np.sqrt(max(fitted.covariance[2, 2], 0.0)))
    of_difficulty = float(effects[1]) if hard is not None else nan
    return (rate, controlled_rate, se, *ends, float(effects[0]), effect_se, of_difficulty, int(total), status)
