"""How often a gate raises a false alarm, and how often it sees the loss that it says it could have seen."""

from __future__ import annotations

import numpy as np
import polars as pl
import scipy.stats

import ireval_frames as ir

TIMES, UNITS = 150, 40


def test_no_harm_and_not_worse() -> None:
    draw = np.random.default_rng(3)
    margin = 2.5 / UNITS**0.5  # Of differences whose deviation is 1: what 80 of 100 cases show.
    before = pl.DataFrame({"query_id": range(UNITS), "value": draw.uniform(size=UNITS)})
    alarms, passes = {}, {}
    for loss in (0.0, margin):
        # Each run is a gate of its own: what is corrected over all of them is not looked at.
        runs = [
            before.with_columns(pl.col("value") + draw.normal(size=UNITS) - loss, run_id=pl.lit(f"{i:03}"))
            for i in range(TIMES)
        ]
        table = ir.gate(before, pl.concat(runs), f"no harm; not worse by {margin}").table()
        harm, worse = table.filter(kind="no harm"), table.filter(kind="not worse by")
        alarms[loss] = int(((harm["p_value"] <= 0.05) & (harm["difference"] < 0)).sum())
        passes[loss] = int((worse["verdict"] == "pass").sum())

    def likely(count: int, share: float) -> bool:
        return bool(scipy.stats.binomtest(count, TIMES, share).pvalue > 1e-3)

    # Alarms without a loss are half of 5 %, since gains raise none.  Of the announced loss the test sees 68 %.
    assert likely(alarms[0.0], 0.025)
    assert likely(alarms[margin], float(scipy.stats.nct.sf(scipy.stats.t.ppf(0.975, UNITS - 1), UNITS - 1, 2.5)))
    # Where nothing changed 80 % pass; where the loss is the margin 5 % do.
    assert likely(passes[0.0], 0.8)
    assert likely(passes[margin], 0.05)
