"""Areas and their variances by scikit-learn and by loops over pairs of items."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from sklearn.metrics import roc_auc_score

from ireval_frames.errors import InvalidParameter, InvalidValue
from ireval_frames.stats.delong import area_interval, areas, delong
from ireval_frames.stats.sample import Array, Options, Sample
from tests.stats.sakai import every_pair, of

LABEL = np.array([0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0])


def scores(seed: int) -> Array:
    rng = np.random.default_rng(seed)
    return np.round(rng.normal(size=(len(LABEL), 4)) + LABEL[:, None] * rng.random(4) * 2, 1)


def covariance_loop(one: Array, other: Array, label: Array) -> float:
    """DeLong's components over all pairs of items."""

    def components(x: Array) -> tuple[Array, Array]:
        above = [[(p > n) + (p == n) / 2 for n in x[label == 0]] for p in x[label == 1]]
        return np.mean(above, axis=1), np.mean(above, axis=0)

    (v1, v0), (w1, w0) = components(one), components(other)
    return float(np.cov(v1, w1)[0, 1] / len(v1) + np.cov(v0, w0)[0, 1] / len(v0))


def test_areas_and_covariance() -> None:
    values = scores(1)
    actual, covariance = areas(values, LABEL)
    np.testing.assert_allclose(actual, [roc_auc_score(LABEL, column) for column in values.T], rtol=1e-13)
    expected = [[covariance_loop(one, other, LABEL) for one in values.T] for other in values.T]
    np.testing.assert_allclose(covariance, expected, rtol=1e-12, atol=1e-16)


@pytest.mark.parametrize("holes", [0.0, 0.15])
def test_delong(holes: float) -> None:
    values = scores(2)
    values[np.random.default_rng(3).random(values.shape) < holes] = np.nan
    sample = Sample(values, every_pair(4))
    actual = delong(sample, Options(more={"label": LABEL}))
    assert actual.estimate is not None
    for i, pair in enumerate(sample.pairs):
        both = ~np.isnan(values[:, pair]).any(axis=1)
        baseline, system = values[both][:, pair].T
        label = LABEL[both]
        change = roc_auc_score(label, system) - roc_auc_score(label, baseline)
        variance = sum(covariance_loop(x, x, label) for x in (baseline, system))
        se = (variance - 2 * covariance_loop(baseline, system, label)) ** 0.5
        assert actual.estimate[i] == pytest.approx(change, abs=1e-14)
        assert actual.statistic[i] == pytest.approx(change / se, rel=1e-10)
        assert actual.p_value[i] == pytest.approx(2 * scipy.stats.norm.sf(abs(change / se)), rel=1e-10)
        assert actual.ci_low[i] == pytest.approx(change - scipy.stats.norm.ppf(0.975) * se)
        assert actual.more["area"][i] == pytest.approx(roc_auc_score(label, system))


def test_interval_of_one_area_covers() -> None:
    rng = np.random.default_rng(4)
    negative, positive, draws = 40, 30, 2000
    label = np.repeat([0, 1], [negative, positive])
    for shift in (0.5, 2.0):
        values = rng.normal(size=(negative + positive, draws)) + shift * label[:, None]
        actual, covariance = areas(values, label)
        low, high = area_interval(
            actual, np.sqrt(np.diag(covariance)), np.full(draws, negative), np.full(draws, positive)
        )
        true = scipy.stats.norm.cdf(shift / 2**0.5)
        assert 0.93 < np.mean((low <= true) & (true <= high)) < 0.98


@pytest.mark.parametrize(
    "baseline, system, status, p",
    [
        ([0.1, 0.2, 0.3, 0.4], [0.2, 0.4, 0.6, 0.8], "identical", 1.0),
        ([0.1, 0.1, 0.1, 0.1], [0.1, 0.2, 0.3, 0.4], "undefined", np.nan),
        ([0.1, 0.2, 0.3, np.nan], [0.1, 0.2, 0.3, 0.4], "too_few", np.nan),
        ([0.1, 0.2, np.nan, np.nan], [0.1, 0.2, 0.3, 0.4], "too_few", np.nan),
        ([0.1, 0.2, np.nan, np.nan], [np.nan, np.nan, 0.3, 0.4], "no_units", np.nan),
    ],
)
def test_degenerate(baseline: list[float], system: list[float], status: str, p: float) -> None:
    actual = delong(of(baseline, system), Options(more={"label": [0, 0, 1, 1]}))
    assert actual.status[0] == status
    np.testing.assert_array_equal(actual.p_value, [p])


def test_what_is_refused() -> None:
    sample = of([0.1, 0.2], [0.3, 0.4])
    with pytest.raises(InvalidParameter, match="needs the items' classes"):
        delong(sample, Options())
    with pytest.raises(InvalidParameter, match="3 labels of 2 items"):
        delong(sample, Options(more={"label": [0, 1, 1]}))
    with pytest.raises(InvalidValue, match="A label is 2"):
        delong(sample, Options(more={"label": [0, 2]}))
