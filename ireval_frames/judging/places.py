"""Whether two systems change places where other judgments are taken."""

from __future__ import annotations

import numpy as np
import polars as pl

from ireval_frames.judging.orders import paired
from ireval_frames.stats.corrections import corrected


def placed(human: pl.DataFrame, llm: pl.DataFrame, alpha: float, correction: str) -> pl.DataFrame:
    """A row per two systems: the mean differences, the p-values and the status of `Judges.places`.

    Args:
        human: the values per unit by the human judgments.
        llm: those by the model's.
        alpha: the level of the tests.
        correction: of p-values over the pairs.
    """
    from scipy.special import stdtr

    out = None
    for name, units in (("human", human), ("llm", llm)):
        pairs = paired(units, units["run_id"].unique().to_list())
        made = (
            pairs.group_by("run_a", "run_b")
            .agg(mean=pl.col("difference").mean(), sd=pl.col("difference").std(), n=pl.col("difference").count())
            .sort("run_a", "run_b")
        )
        n, sd, mean = (made[c].cast(pl.Float64).fill_null(np.nan).to_numpy() for c in ("n", "sd", "mean"))
        with np.errstate(invalid="ignore", divide="ignore"):
            p = np.where(sd > 0, 2 * stdtr(np.maximum(n - 1, 1), -np.abs(mean) / (sd / np.sqrt(n))), np.nan)
        columns = {name: pl.Series(mean), f"p_{name}": pl.Series(corrected(p, correction))}
        made = made.select("run_a", "run_b").with_columns(**columns)
        out = made if out is None else out.join(made, on=["run_a", "run_b"])
    assert out is not None  # noqa: S101 - there are two sources
    same = pl.col("human") * pl.col("llm") > 0
    shown = [pl.col(f"p_{name}").fill_nan(1.0) <= alpha for name in ("human", "llm")]
    status = (
        pl.when(shown[0] & shown[1] & same).then(pl.lit("kept"))
        .when(shown[0] & shown[1]).then(pl.lit("reversed"))
        .when(shown[0]).then(pl.lit("lost"))
        .when(shown[1]).then(pl.lit("gained"))
        .when(pl.col("human") * pl.col("llm") < 0).then(pl.lit("swapped"))
        .otherwise(pl.lit("undecided"))
    )  # fmt: skip
    return out.with_columns(status=status).with_columns(pl.selectors.float().fill_nan(None)).sort("run_a", "run_b")
