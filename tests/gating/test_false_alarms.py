"""False alarms of a gate, and its power at the detectable difference."""

from __future__ import annotations

import numpy as np
import polars as pl
import scipy.stats

import ireval_frames as ir

TIMES, UNITS = 150, 40


def test_error_rates() -> None:
    draw = np.random.default_rng(3)
    margin = 2.5 / UNITS**0.5  # The detectable difference of differences whose deviation is 1.
    before = pl.DataFrame({"query_id": range(UNITS), "value": draw.uniform(size=UNITS)})
    alarms, passes = {}, {}
    for loss in (0.0, margin):
        # Each run stands for a gate of its own, so p-values are not corrected.
        runs = [
            before.with_columns(pl.col("value") + draw.normal(size=UNITS) - loss, run_id=pl.lit(f"{i:03}"))
            for i in range(TIMES)
        ]
        table = ir.gate(before, pl.concat(runs), f"no significant loss; non-inferior within {margin}").table()
        losses, margins = table.filter(kind="no significant loss"), table.filter(kind="non-inferior within")
        alarms[loss] = int(((losses["p_value"] <= 0.05) & (losses["difference"] < 0)).sum())
        passes[loss] = int((margins["verdict"] == "pass").sum())

    def likely(count: int, share: float) -> bool:
        return bool(scipy.stats.binomtest(count, TIMES, share).pvalue > 1e-3)

    # Alarms without a loss are half of 5 %, since gains raise none.  The test finds 68 % of the detectable losses.
    assert likely(alarms[0.0], 0.025)
    assert likely(alarms[margin], float(scipy.stats.nct.sf(scipy.stats.t.ppf(0.975, UNITS - 1), UNITS - 1, 2.5)))
    # 80 % pass if nothing changed, 5 % if the loss is the margin.
    assert likely(passes[0.0], 0.8)
    assert likely(passes[margin], 0.05)
