"""Figures of other tools over the same rows: tea-tasting 1.14.0, gbstats 0.8.0 and statsmodels 0.15.0, run apart.

None of them stands beside the others in one environment, so what they said is kept here.
"""

from __future__ import annotations

import pytest

import ireval_frames as ir
from tests.experiments.cases import frame, units

# Difference, statistic and p-value of tea-tasting's Mean and RatioOfMeans, with and without covariates.
TEA_TASTING = {
    "Mean(revenue)": (-0.10110047846889803, -0.16493165143847055, 0.8697081201698695),
    "Mean(revenue, before=revenue_before)": (0.6923540203144967, 1.6771830712085278, 0.10224924530561967),
    "Ratio(clicks, pages)": (0.00934699103713188, 0.12974428790305137, 0.8973036516168625),
    "Ratio(clicks, pages, before=(clicks_before, pages_before))": (
        0.004067703342045759, 0.058179954090713616, 0.9538357395494718,
    ),
}  # fmt: skip


def test_tea_tasting() -> None:
    experiment = ir.Experiment(frame(units()), unit=None, baseline="a")
    actual = experiment.analyze(list(TEA_TASTING), coefficient="pooled").table()
    for row in actual.iter_rows(named=True):
        assert (row["difference"], row["statistic"], row["p_value"]) == pytest.approx(
            TEA_TASTING[row["metric"]], rel=1e-10
        )
    assert experiment.srm()["p_value"][0] == pytest.approx(0.051893895928921435, rel=1e-10)


def test_statsmodels() -> None:
    """OLS of revenue on the variant and what was before: its coefficient of the variant."""
    (row,) = (
        ir.Experiment(frame(units()), unit=None, baseline="a")
        .analyze("Mean(revenue, before=revenue_before)")
        .table()
        .iter_rows(named=True)
    )
    assert row["difference"] == pytest.approx(0.72591094, abs=5e-9)


def test_gbstats() -> None:
    """The t test's interval, and that of SequentialTwoSidedTTest tuned for 100."""
    experiment = ir.Experiment(frame(units()), unit=None, baseline="a")
    fixed, ratio = experiment.analyze("Mean(revenue) Ratio(clicks, pages)").table().iter_rows(named=True)
    assert (fixed["ci_low"], fixed["ci_high"]) == pytest.approx((-1.3344040580813754, 1.1322031011435776), rel=1e-10)
    assert (ratio["ci_low"], ratio["ci_high"]) == pytest.approx((-0.135452101142806, 0.15414608321706977), rel=1e-10)
    (always,) = experiment.analyze("Mean(revenue)", sequential=100).table().iter_rows(named=True)
    assert (always["ci_low"], always["ci_high"]) == pytest.approx((-1.9773459910064057, 1.775145034068608), rel=1e-10)
    assert always["p_value"] == 1.0
