"""A model's scores as people's grades."""

from __future__ import annotations

import numpy as np
import polars as pl

from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.errors import Argument, Hint, NotDefined, listed
from ireval_frames.parameters import CONFIDENCE, whole

IDS = ("query_id", "doc_id")


def calibration(both: pl.DataFrame, bins: int | None, confidence: float) -> pl.DataFrame:
    """The mean human grade by score (`Judges.calibration`)."""
    from scipy.special import stdtrit

    whole(None, "the number of groups of scores").check("bins", bins)
    CONFIDENCE.check("confidence", confidence)
    rank = pl.col("llm").rank("min") - 1
    group = pl.col("llm") if bins is None else (rank * bins / pl.len()).floor()
    rows = both.with_columns(group=group)
    sums = rows.group_by("group", "query_id", maintain_order=True).agg(
        s=in_order(pl.col("human").sum()), m=pl.len().cast(pl.Float64), llm=in_order(pl.col("llm").sum())
    )
    k, total = pl.len(), pl.col("m").sum()
    mean = pl.col("s").sum() / total
    # The delta method of a ratio of sums over queries.
    square = ((pl.col("s") - mean * pl.col("m")) ** 2).sum() * k / (k - 1) / total**2
    table = sums.group_by("group", maintain_order=True).agg(
        llm=pl.col("llm").sum() / total, human=mean, square=square, n_queries=k.cast(pl.Int64), n=total.cast(pl.Int64)
    )
    queries = table["n_queries"].to_numpy()
    se = np.sqrt(np.where(queries > 1, table["square"].to_numpy(), np.nan))
    half = stdtrit(np.maximum(queries - 1, 1), (1 + confidence) / 2) * se
    table = table.with_columns(se=pl.Series(se), ci_low=pl.col("human") - half, ci_high=pl.col("human") + half)
    table = table.select("llm", "human", "se", "ci_low", "ci_high", "n_queries", "n").sort("llm")
    return table.with_columns(pl.selectors.float().fill_nan(None))


def calibrated(human: pl.DataFrame, llm: pl.DataFrame, both: pl.DataFrame, *, monotone: bool) -> pl.DataFrame:
    """Human grades, and expected ones of other documents (`Judges.calibrated`)."""
    means = both.group_by("llm").agg(grade=in_order(pl.col("human").mean()), n=pl.len().cast(pl.Float64)).sort("llm")
    rest = llm.join(human, on=IDS, how="anti").drop_nulls("relevance")
    scores, grades = means["llm"].to_numpy(), means["grade"].to_numpy()
    if monotone:
        grades = isotonic(grades, means["n"].to_numpy())
        expected = np.interp(rest["relevance"].to_numpy(), scores, grades)
    else:
        unknown = sorted(set(rest["relevance"].unique().to_list()) - set(scores.tolist()))
        if unknown:
            raise NotDefined(
                f"People judged no document with the score {listed(unknown, 3)}.",
                Hint("Interpolate: ", Argument("monotone", value=True)),
            )
        expected = grades[np.searchsorted(scores, rest["relevance"].to_numpy())]
    filled = rest.select(*IDS, relevance=pl.Series(expected, dtype=pl.Float64), source=pl.lit("llm"))
    own = human.select(*IDS, relevance=pl.col("relevance").cast(pl.Float64), source=pl.lit("human"))
    return pl.concat([own, filled], how="vertical_relaxed").sort(IDS)


def isotonic(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The nearest values that never fall, by weighted squares: neighbours that fall are pooled.

    Source: Ayer and others, Annals of Mathematical Statistics 1955.

    Example:
        >>> isotonic(np.array([0.0, 2.0, 1.0, 3.0]), np.ones(4)).tolist()
        [0.0, 1.5, 1.5, 3.0]
    """
    blocks: list[list[float]] = []
    for value, weight in zip(values.tolist(), weights.tolist(), strict=True):
        blocks.append([value, weight, 1])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            (v, w, n), (x, u, m) = blocks[-2:]
            blocks[-2:] = [[(v * w + x * u) / (w + u), w + u, n + m]]
    return np.repeat([b[0] for b in blocks], [int(b[2]) for b in blocks])
